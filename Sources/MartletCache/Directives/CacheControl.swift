/// The directives of `Cache-Control` (RFC 9111 §5.2), in requests and in responses.
///
/// ```swift
/// CacheControl("max-age=60, stale-while-revalidate=600").maxAge  // 60 seconds
/// ```
///
/// It is read as the RFC says: names without regard to case, arguments as tokens and as quoted strings, unknown directives kept and without
/// effect. What is malformed never makes a response fresher: a directive keeps its name, and a number that is none, or is given twice with
/// different values, counts as expired. Behind a quote that does not end, every directive is malformed.
package struct CacheControl: Sendable, Hashable, CustomStringConvertible {
    /// One directive.
    package struct Directive: Sendable, Hashable {
        /// The name in lower case.
        package let name: String
        /// What stands behind the `=`, without quotes; nil when there is nothing, or nothing that can be read.
        package let argument: String?
        /// Whether something stands behind the name that can't be read.
        package let isMalformed: Bool
    }

    /// The directives in their order.
    package let directives: [Directive]

    /// The directives of every `Cache-Control` line.
    package init(_ headers: HTTPFields) { self.init(lines: headers.bytes(for: .cacheControl)) }

    /// The directives of a field's value.
    package init(_ text: String) { self.init(lines: [Array(text.utf8)]) }

    private init(lines: [[UInt8]]) {
        var directives: [Directive] = []
        for line in lines {
            var reader = FieldReader(line, openQuote: .isCharacter)
            while let directive = reader.directive() { directives.append(directive) }
        }
        self.directives = directives
    }

    /// Whether there is none.
    package var isEmpty: Bool { directives.isEmpty }

    /// Whether there is a directive of that name.
    package func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// The directives as a field's value.
    package var description: String {
        directives.map { directive in
            // A name with nothing behind the `=` is malformed too: without it, `max-stale` would be more than was said.
            if directive.isMalformed { return directive.name + "=" }
            guard let argument = directive.argument else { return directive.name }
            return directive.name + "=" + argument.asParameterValue
        }.joined(separator: ", ")
    }
}

extension CacheControl {
    /// A number of seconds in a directive.
    enum Seconds: Equatable {
        case absent
        /// There, but none, or two that are different.
        case invalid
        case value(Int)

        /// The number, with what can't be read as 0; nil when the directive is absent.
        var orZero: Int? {
            switch self {
            case .absent: nil
            case .invalid: 0
            case .value(let seconds): seconds
            }
        }
    }

    /// More than this is this: 2^31 seconds (RFC 9111 §1.2.2).
    static let maxSeconds = 2_147_483_648

    /// The seconds that all directives of a name agree on.
    func seconds(_ name: String) -> Seconds {
        var found = Seconds.absent
        for directive in directives where directive.name == name {
            let seconds = directive.argument.flatMap(CacheControl.deltaSeconds).map(Seconds.value) ?? .invalid
            if found != .absent && found != seconds { return .invalid }
            found = seconds
        }
        return found
    }

    /// Reads delta-seconds (RFC 9111 §1.2.2): digits alone. A number too large is the largest there is.
    static func deltaSeconds(_ text: some StringProtocol) -> Int? {
        guard text.isDecimal else { return nil }
        return Swift.min(Int(text) ?? maxSeconds, maxSeconds)
    }

    /// The fields that a directive names in its argument; nil when it stands for the whole response, or is not there.
    func fields(of name: String) -> [HTTPFieldName]? {
        var names: [HTTPFieldName] = []
        for directive in directives where directive.name == name {
            let listed = (directive.argument ?? "").split(separator: ",").map { HTTPFieldName(String($0.trimmingWhitespace)) }
            guard !listed.isEmpty, listed.allSatisfy(\.isValid) else { return nil }
            names += listed
        }
        return names.isEmpty ? nil : names
    }

    /// Whether a directive is there that allows something: one that can't be read allows nothing.
    func allows(_ name: String) -> Bool { directives.contains { $0.name == name && !$0.isMalformed } }

    /// Whether a directive is there that stands for the whole response.
    func isUnqualified(_ name: String) -> Bool { contains(name) && fields(of: name) == nil }
}

extension FieldReader {
    /// Reads the next directive; nil at the end. Behind a quote that does not end, every directive is malformed.
    fileprivate mutating func directive() -> CacheControl.Directive? {
        while !isAtEnd {
            skip { Token.isWhitespace($0) || $0 == FieldReader.comma }
            guard let name = token()?.lowercased() else {
                // No name: the member is passed over.
                skipElement { $0 == FieldReader.comma }
                continue
            }
            var argument: String?
            var isMalformed = false
            if skip(UInt8(ascii: "=")) {
                argument = token() ?? quotedBytes().flatMap { String(validUTF8: $0) }
                isMalformed = argument == nil
            }
            if skipElement(before: { $0 == FieldReader.comma }) || hasOpenQuote { (argument, isMalformed) = (nil, true) }
            return CacheControl.Directive(name: name, argument: argument, isMalformed: isMalformed)
        }
        return nil
    }
}
