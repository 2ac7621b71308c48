/// The value of a `User-Agent` field (RFC 9110 §10.1.5), with products, the most significant first, and comments.
///
/// ```swift
/// let agent = try UserAgent("Birds", version: "2.1", comment: "Linux; build 7").adding("Martlet")
/// agent.description  // "Birds/2.1 (Linux; build 7) Martlet"
/// ```
///
/// The value is always well-formed: a name or version that is not a token, or a control character in a comment, throws.
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The default value of a client.
    static let `default` = "Martlet"

    /// The text of the field's value.
    public let description: String

    private init(text: String) { description = text }

    /// Creates the value for one product, such as an app, with its version and a comment.
    ///
    /// - Parameters:
    ///   - name: the product's name, a token (RFC 9110 §5.6.2: no spaces, no slashes).
    ///   - version: the product's version, a token. Default: nil, none.
    ///   - comment: a comment in parentheses. Parentheses within it are escaped. Default: nil, none.
    /// - Throws: `.invalidRequest` if the name or the version is not a token, or the comment contains a control character.
    public init(_ name: String, version: String? = nil, comment: String? = nil) throws(HTTPError) {
        try UserAgent.check(name, "name")
        if let version { try UserAgent.check(version, "version") }
        var text = name + (version.map { "/" + $0 } ?? "")
        if let comment {
            guard comment.utf8.allSatisfy(Token.isFieldContent) else {
                throw .invalidRequest("the comment of a User-Agent contains a control character: “\(Redaction.line(comment, limit: 60))”")
            }
            text += " (" + UserAgent.escaped(comment) + ")"
        }
        self.init(text: text)
    }

    /// Creates the value for an app from its name, version, platform and build. Invalid characters in its name and version are replaced by
    /// `-`, so that this never fails.
    public init(_ app: AppMetadata) {
        let name = UserAgent.token(app.name), version = UserAgent.token(app.version)
        let details = [app.platform, app.build.isEmpty ? "" : "build \(app.build)"].map(UserAgent.line).filter { !$0.isEmpty }
        let text = (name.isEmpty ? "App" : name) + (version.isEmpty ? "" : "/" + version)
        self.init(text: details.isEmpty ? text : text + " (" + UserAgent.escaped(details.joined(separator: "; ")) + ")")
    }

    /// Returns the value with a further product at its end, such as a library that the app uses.
    ///
    /// - Throws: `.invalidRequest` if the name or the version is not a token, or the comment contains a control character.
    public func adding(_ name: String, version: String? = nil, comment: String? = nil) throws(HTTPError) -> UserAgent {
        UserAgent(text: description + " " + (try UserAgent(name, version: version, comment: comment)).description)
    }

    private static func check(_ token: String, _ what: StaticString) throws(HTTPError) {
        guard token.isToken else {
            throw .invalidRequest("the \(what) of a User-Agent's product is not a token: “\(Redaction.line(token, limit: 60))”")
        }
    }

    /// Escapes parentheses and backslashes as quoted pairs (RFC 9110 §5.6.5).
    private static func escaped(_ comment: String) -> String {
        comment.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "(" || scalar == ")" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }

    /// Returns a text as a token, with `-` for each run of invalid characters.
    static func token(_ text: String) -> String {
        var token: [UInt8] = []
        for byte in text.utf8 {
            if Token.contains(byte) { token.append(byte) } else if token.last != UInt8(ascii: "-") { token.append(UInt8(ascii: "-")) }
        }
        let cut = token.drop { $0 == UInt8(ascii: "-") }
        return String(decoding: cut.last == UInt8(ascii: "-") ? cut.dropLast() : cut, as: UTF8.self)
    }

    /// Returns a text without the characters that are invalid in a field value.
    static func line(_ text: String) -> String {
        String(decoding: text.utf8.filter(Token.isFieldContent), as: UTF8.self)
    }
}
