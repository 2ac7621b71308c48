internal import MartletEssentials

/// The person that a response belongs to, as far as its request shows. All code that stores or shares responses compares it.
///
/// It fails closed: each field of the request that is not known to be harmless belongs to it, because the server may recognise the user by
/// that field. Harmless are the fields of a list (`Accept`, `User-Agent`, the fields of HTTP for conditions, ranges and contents, of
/// tracing and of uploads), fields that Martlet itself adds, and those that the app declares (``RequestContext/harmlessFields``). The user
/// in the URL belongs to it too.
package struct RequestIdentity: Sendable, Hashable {
    /// The `Host` of the request if it differs from its URL's authority (RFC 9110 §7.2).
    package let host: String?
    /// The SHA-256 digest in hexadecimal of all fields that may identify the user, or an empty string if there are none.
    package let fields: String
    /// The digest of the credentials among these fields, to which a response belongs that its server declares as public.
    package let credentials: String
    /// Whether a `Cookie` is the only field that may identify the user.
    package let isCookieOnly: Bool

    /// Creates the identity of a request.
    ///
    /// - Parameter names: Names that are harmless in addition to those of the request's context. Default: none.
    package init(of request: HTTPRequest, naming names: Set<HTTPFieldName> = []) {
        host = TargetURI.host(of: request)
        let own = request.context.harmlessFields
        var lines: [Line] = []
        request.headers.forEachPersonal(naming: own.isEmpty ? names : own.union(names)) { name, value, isCredential in
            let value = isCredential ? Array(value) : RequestIdentity.normalised(value)
            lines.append(Line(name: name.map(Token.lowercased), value: value, isCredential: isCredential))
        }
        if request.urlText.utf8.contains(UInt8(ascii: "@")), let user = request.url.user(percentEncoded: true) {
            let text = user + ":" + (request.url.password(percentEncoded: true) ?? "")
            lines.append(Line(name: Array("url ".utf8), value: Array(text.utf8), isCredential: true))
        }
        isCookieOnly = !lines.isEmpty && lines.allSatisfy { $0.name.elementsEqual("cookie".utf8) }
        fields = RequestIdentity.digest(of: lines)
        credentials = lines.allSatisfy(\.isCredential) ? fields : RequestIdentity.digest(of: lines.filter(\.isCredential))
    }

    /// A line of header fields, as bytes, because different bytes may be equal as texts.
    private struct Line {
        let name: [UInt8]
        let value: [UInt8]
        let isCredential: Bool
    }

    /// Returns a value without the insignificant white space around the commas of a list (RFC 9110 §5.6.1), unless it is not UTF-8.
    private static func normalised(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard value.contains(UInt8(ascii: ",")), let text = String(validUTF8: value) else { return Array(value) }
        return Array(text.listMembers.joined(separator: ", ").utf8)
    }

    private static func digest(of lines: [Line]) -> String {
        guard !lines.isEmpty else { return "" }
        var hash = SHA2<UInt32>()
        // Sorted by name; lines of one name keep their order. Each length precedes its bytes, so that different lists have different bytes.
        let order = lines.indices.sorted {
            (lines[$0].name.lexicographicallyPrecedes(lines[$1].name)) || lines[$0].name == lines[$1].name && $0 < $1
        }
        for index in order {
            for bytes in [lines[index].name, lines[index].value] {
                withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { hash.update($0) }
                hash.update(bytes)
            }
        }
        return Hex.text(hash.finish())
    }
}
