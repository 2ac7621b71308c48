#if SwiftConfiguration
internal import Configuration

/// A configuration value that can't be used. It names the key and the allowed values, and never contains the value itself.
///
/// ```text
/// prices.timeout.totalMs must be a whole number of milliseconds from 1 to 2147483647
/// ```
public struct SettingError: Error, Sendable, CustomStringConvertible {
    /// The key with the scope of its reader, such as `prices.timeout.totalMs`.
    public let key: String
    /// What the value must be, such as `a whole number of milliseconds from 1 to 2147483647`.
    public let requirement: String
    /// The error of the provider, such as that of a file that can't be read, or nil. It is always nil for a secret value.
    public let underlying: (any Error)?

    /// The key and the allowed values, in one line.
    public var description: String { "\(key) must be \(requirement)" }
}

/// Reads and checks the values of a `ConfigReader`. Missing values are nil; all others that can't be used throw.
///
/// It fetches them, because only that tells a value of another type from a missing one.
@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
struct SettingReader {
    /// The maximum of numbers without a limit of their own.
    static let maximum = Int(Int32.max)

    private let reader: ConfigReader

    init(_ reader: ConfigReader) { self.reader = reader }

    func integer(_ key: String, _ range: ClosedRange<Int>, of unit: String = "") async throws(SettingError) -> Int? {
        let requirement = "a whole number\(unit.isEmpty ? "" : " of \(unit)") from \(range.lowerBound) to \(range.upperBound)"
        return try await value(key, requirement) {
            try await reader.fetchInt(forKey: $0)
        } as: {
            range.contains($0) ? $0 : nil
        }
    }

    func milliseconds(_ key: String, from minimum: Int = 1) async throws(SettingError) -> Duration? {
        try await integer(key, minimum...SettingReader.maximum, of: "milliseconds").map { .milliseconds($0) }
    }

    func choice<Choice>(_ key: String, _ choices: KeyValuePairs<String, Choice>) async throws(SettingError) -> Choice? {
        let requirement = "one of " + choices.map { "\"\($0.key)\"" }.joined(separator: ", ")
        return try await text(key, requirement) { text in choices.first { $0.key == text }?.value }
    }

    /// Reads a text, which `convert` turns into a value, or into nil if the text is not allowed.
    func text<Value>(
        _ key: String, _ requirement: String, isSecret: Bool = false, as convert: (String) -> Value?
    ) async throws(SettingError) -> Value? {
        try await value(key, requirement, isSecret: isSecret) {
            try await reader.fetchString(forKey: $0, isSecret: isSecret)
        } as: {
            $0.isEmpty ? nil : convert($0)
        }
    }

    /// Reads a list of texts, each of which `convert` turns into an element, or into nil if it is not allowed.
    func texts<Element>(_ key: String, _ requirement: String, as convert: (String) -> Element?) async throws(SettingError) -> [Element]? {
        try await value(key, requirement) {
            try await reader.fetchStringArray(forKey: $0)
        } as: {
            SettingReader.all($0, convert)
        }
    }

    func integers<Element>(_ key: String, _ requirement: String, as convert: (Int) -> Element?) async throws(SettingError) -> [Element]? {
        try await value(key, requirement) {
            try await reader.fetchIntArray(forKey: $0)
        } as: {
            SettingReader.all($0, convert)
        }
    }

    /// Returns the error of a key.
    func error(_ key: String, _ requirement: String, _ underlying: (any Error)? = nil) -> SettingError {
        // The reader's scope is not public. Without it the error has the key in the scope.
        let scope = Mirror(reflecting: reader).descendant("keyPrefix") as? AbsoluteConfigKey
        let components = (scope?.components ?? []) + ConfigKey(key).components
        return SettingError(key: components.joined(separator: "."), requirement: requirement, underlying: underlying)
    }

    private func value<Read, Value>(
        _ key: String, _ requirement: String, isSecret: Bool = false, read: (ConfigKey) async throws -> Read?, as convert: (Read) -> Value?
    ) async throws(SettingError) -> Value? {
        let found: Read?
        do { found = try await read(ConfigKey(key)) } catch { throw self.error(key, requirement, isSecret ? nil : error) }
        guard let found else { return nil }
        guard let value = convert(found) else { throw error(key, requirement) }
        return value
    }

    /// Converts all elements, or returns nil if one of them can't be converted.
    private static func all<Read, Element>(_ values: [Read], _ convert: (Read) -> Element?) -> [Element]? {
        let converted = values.compactMap(convert)
        return converted.count == values.count ? converted : nil
    }
}
#endif
