/// The name of a program for the `User-Agent` field (RFC 9110 §10.1.5): products, most significant first, and comments.
///
/// ```swift
/// let agent = try UserAgent("Birds", version: "2.1", comment: "Linux; build 7").adding("Martlet")
/// agent.description  // "Birds/2.1 (Linux; build 7) Martlet"
/// ```
///
/// It can't be anything but a well-formed field: a name or version that is no token, and a control character in a comment, are refused.
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// What a client sends unless it is told otherwise.
    static let `default` = "Martlet"

    /// The field's value.
    public let description: String

    private init(text: String) { description = text }

    /// A product, with a version and a comment or without.
    ///
    /// Throws `.invalidRequest` for a name or version that is not a token (RFC 9110 §5.6.2: no spaces, no slashes) and for a comment with
    /// a control character. Brackets in a comment are escaped.
    public init(_ name: String, version: String? = nil, comment: String? = nil) throws(HTTPError) {
        try UserAgent.check(name, "name")
        if let version { try UserAgent.check(version, "version") }
        var text = name + (version.map { "/" + $0 } ?? "")
        if let comment {
            guard comment.utf8.allSatisfy(Token.isFieldContent) else {
                throw .invalidRequest("the comment of a User-Agent has a control character: “\(Redaction.line(comment, limit: 60))”")
            }
            text += " (" + UserAgent.escaped(comment) + ")"
        }
        self.init(text: text)
    }

    /// The product of an app. What can't stand in a product's name or version is replaced by `-`, so that any app has one.
    public init(_ app: AppMetadata) {
        let name = UserAgent.token(app.name), version = UserAgent.token(app.version)
        let details = [app.platform, app.build.isEmpty ? "" : "build \(app.build)"].map(UserAgent.line).filter { !$0.isEmpty }
        let text = (name.isEmpty ? "App" : name) + (version.isEmpty ? "" : "/" + version)
        self.init(text: details.isEmpty ? text : text + " (" + UserAgent.escaped(details.joined(separator: "; ")) + ")")
    }

    /// With a further product behind it, such as the library that it uses.
    public func adding(_ name: String, version: String? = nil, comment: String? = nil) throws(HTTPError) -> UserAgent {
        UserAgent(text: description + " " + (try UserAgent(name, version: version, comment: comment)).description)
    }

    private static func check(_ token: String, _ what: StaticString) throws(HTTPError) {
        guard token.isToken else {
            throw .invalidRequest("the \(what) of a User-Agent's product is not a token: “\(Redaction.line(token, limit: 60))”")
        }
    }

    /// Brackets and backslashes as quoted pairs (RFC 9110 §5.6.5).
    private static func escaped(_ comment: String) -> String {
        comment.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "(" || scalar == ")" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }

    /// A text as a token, `-` for each run of what can't stand in one.
    static func token(_ text: String) -> String {
        var token: [UInt8] = []
        for byte in text.utf8 {
            if Token.contains(byte) { token.append(byte) } else if token.last != UInt8(ascii: "-") { token.append(UInt8(ascii: "-")) }
        }
        let cut = token.drop { $0 == UInt8(ascii: "-") }
        return String(decoding: cut.last == UInt8(ascii: "-") ? cut.dropLast() : cut, as: UTF8.self)
    }

    /// A text without what can't stand in a field.
    static func line(_ text: String) -> String {
        String(decoding: text.utf8.filter(Token.isFieldContent), as: UTF8.self)
    }
}
