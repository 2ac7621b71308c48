import Foundation

/// The arguments of a program.
public struct Arguments: Sendable {
    /// The arguments that are not options.
    public internal(set) var operands: [String] = []
    /// The URL of a real server, or nil for the scripted one.
    public private(set) var baseURL: URL?

    var values: [String: String] = [:]

    /// Returns whether an option was given.
    public func has(_ option: String) -> Bool { values[option] != nil }

    /// Returns the value of an option, or nil if it was not given.
    public subscript(option: String) -> String? { values[option] }

    /// Returns the value of an option as a positive number, or `standard` if it was not given.
    public func number(_ option: String, default standard: Int) throws(UsageError) -> Int {
        guard let text = values[option] else { return standard }
        guard let number = Int(text), number > 0 else { throw UsageError("\(option) must be a positive number, not “\(text)”") }
        return number
    }

    mutating func readBaseURL() throws(UsageError) {
        guard let text = values["--base-url"] else { return }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil else {
            throw UsageError("--base-url must be an http or https URL, not “\(text)”")
        }
        baseURL = url
    }
}
