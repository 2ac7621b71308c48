/// The settings and the caches of types and keys that all states of one encoding share.
final class JSONEncodingContext {
    private final class Scratch {
        var output: JSONOutput

        init(output: consuming JSONOutput) { self.output = output }
    }

    let settings: JSONBodyEncoder
    let options: JSONOutput.Options
    private let hasCustomKeys: Bool
    @exclusivity(unchecked) private var routes = TypeMap<(any DirectlyEncodable.Type)?>()
    @exclusivity(unchecked) private var keys = JSONKeyValues<PreparedKey>()
    /// The buffer that keys are prepared in.
    private lazy var scratch = Scratch(output: JSONOutput(options: options, baseDepth: 0))
    private var convertedKeys: [String: String] = [:]
    /// The user info in the type that `Encoder` requires. It is converted on first access.
    lazy var userInfo: [CodingUserInfoKey: Any] = settings.userInfo

    init(settings: JSONBodyEncoder) {
        self.settings = settings
        options = JSONOutput.Options(
            isSorted: settings.outputFormatting.contains(.sortedKeys), isPretty: settings.outputFormatting.contains(.prettyPrinted),
            escapesSlashes: settings.outputFormatting.contains(.escapingSlashes),
            maxDepth: min(max(settings.maxDepth, 0), JSONOutput.Options.possibleDepth))
        if case .custom = settings.keyEncodingStrategy { hasCustomKeys = true } else { hasCustomKeys = false }
    }

    deinit {
        keys.deallocate { $0.bytes?.deallocate() }
        routes.deallocate()
    }

    // MARK: Types

    /// Returns `type` if its values are written directly, or `nil` if they encode themselves.
    @inline(__always)
    func route<Value>(for type: Value.Type) -> (any DirectlyEncodable.Type)? {
        routes.value(for: type) ?? findRoute(type)
    }

    @inline(never)
    private func findRoute(_ type: Any.Type) -> (any DirectlyEncodable.Type)? {
        let route = type as? any DirectlyEncodable.Type
        routes.insert(route, for: type)
        return route
    }

    // MARK: Keys

    /// Returns the prepared keys of `type`, or `nil` if its keys cannot be prepared.
    func preparedKeys<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<PreparedKey>? {
        hasCustomKeys ? nil : keys.values(of: type, initial: PreparedKey())
    }

    /// Converts, escapes and stores a key that is written for the second time.
    ///
    /// - Returns: `nil` for a key that is written for the first time.
    @inline(never)
    func prepare(_ key: some CodingKey, into prepared: UnsafeMutablePointer<PreparedKey>) -> PreparedKey? {
        guard prepared.pointee.isWritten else {
            prepared.pointee.isWritten = true
            return nil
        }
        let made = PreparedKey(convert(key) { [] }, using: &scratch.output)
        prepared.pointee.bytes?.deallocate()
        prepared.pointee = made
        return made
    }

    /// Returns the text of a key under the key strategy.
    func convert(_ key: some CodingKey, path: () -> [any CodingKey]) -> String {
        switch settings.keyEncodingStrategy {
        case .useDefaultKeys: return key.stringValue
        case .convertToSnakeCase:
            let text = key.stringValue
            if let known = convertedKeys[text] { return known }
            let converted = SnakeCase.snakeCase(text)
            convertedKeys[text] = converted
            return converted
        case .custom(let convert):
            return convert(path() + [key]).stringValue
        }
    }
}

/// The bytes of an object's key in the output: converted, escaped, quoted and followed by the colon.
struct PreparedKey {
    /// The bytes, padded to a multiple of 16, or nil if the key was written at most once.
    private(set) var bytes: UnsafeMutableRawPointer?
    private(set) var length = 0
    /// The number of bytes between the quotes.
    private(set) var keyLength: Int32 = 0
    /// See `JSONMember.prefix`.
    private(set) var prefix: UInt64 = 0
    private(set) var isEscaped = false
    var isWritten = false

    init() {}

    /// Writes the key to `output`, which is empty before and after.
    init(_ text: String, using output: inout JSONOutput) {
        defer { output.count = 0 }
        isWritten = true
        var text = text
        (prefix, isEscaped) = text.withUTF8 { (JSONOutput.keyPrefix($0), output.putQuoted($0)) }
        keyLength = Int32(clamping: output.count - 2)
        output.putColon()
        length = output.count
        let padded = (output.count + 15) & ~15
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: padded, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: padded)
        bytes.copyMemory(from: output.base, byteCount: output.count)
        self.bytes = bytes
    }
}
