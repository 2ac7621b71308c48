internal import MartletEssentials

/// A value of a dictionary of mixed types, as an encoder can encode it.
enum MixedValue: Encodable, Sendable {
    case null
    case value(any Encodable & Sendable)
    case array([MixedValue])
    case object([String: MixedValue])
    /// A value that can't be encoded, for this reason.
    case unsupported(String)

    func encode(to encoder: any Encoder) throws {
        // A container is used instead of `value.encode(to:)` so that the encoder's strategies for dates and data apply.
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        case .unsupported(let reason): throw UnsupportedValue(path: CodingPath.text(encoder.codingPath), reason: reason)
        }
    }
}

/// The error of encoding a dictionary with a value that can't be encoded.
struct UnsupportedValue: Error, CustomStringConvertible {
    let path: String
    let reason: String

    /// The value's path and the reason, such as `user.avatar: UIImage can't be encoded`.
    var description: String { "\(path): \(reason)" }
}

// MARK: - Converting

extension MixedValue {
    /// Converts the values of a dictionary, and everything in them.
    init(untyped members: [String: Any]) { self = MixedValue(members, levels: MixedValue.maxLevels) }

    /// The maximum nesting of arrays and dictionaries, because the conversion recurses.
    private static let maxLevels = 512

    private init(_ any: Any, levels: Int) {
        if let optional = any as? any OptionalValue {
            self = optional.wrapped.map { MixedValue($0, levels: levels) } ?? .null
        } else if MixedValue.isObject(any, named: "NSNull") {
            self = .null
        } else if let value = MixedValue.plain(any) {
            self = .value(value)
        } else if levels == 0 {
            self = .unsupported("more than \(MixedValue.maxLevels) levels can't be encoded")
        } else if let elements = any as? [Any] {
            self = .array(elements.map { MixedValue($0, levels: levels - 1) })
        } else if let members = any as? [String: Any] {
            self = .object(members.mapValues { MixedValue($0, levels: levels - 1) })
        } else {
            self = MixedValue(other: any)
        }
    }

    /// Encodes a value of another type immediately, because it may not be `Sendable`.
    private init(other any: Any) {
        guard let value = any as? any Encodable else {
            self = .unsupported("\(type(of: any)) can't be encoded")
            return
        }
        do { self = .value(try JSONValue(encoding: value)) } catch {
            self = .unsupported("\(type(of: any)) can't be encoded: \(CodingPath.explain(error))")
        }
    }

    /// Returns a value of a common type, to which the runtime converts the objects of Foundation, or nil.
    private static func plain(_ any: Any) -> (any Encodable & Sendable)? {
        switch any {
        case let value as String: value
        case let value as any StringProtocol: String(value)
        // A number object of 0 or 1 is a Bool for the runtime, and a Boolean object is a number.
        case let value as Bool where !(type(of: any) is AnyClass) || isObject(any, named: "__NSCFBoolean"): value
        case let value as Decimal: value
        case let value as Int: value
        case let value as UInt: value
        case let value as Double: value
        case let value as Float: value
        case let value as Date: value
        case let value as URL: value
        case let value as UUID: value
        case let value as Data: value
        default: nil
        }
    }

    /// Returns whether a value is an object of a class of Foundation. By its name, because FoundationEssentials does not have these
    /// classes.
    private static func isObject(_ any: Any, named name: String) -> Bool {
        type(of: any) is AnyClass && "\(type(of: any))" == name
    }
}
