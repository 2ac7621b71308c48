internal import MartletEssentials

/// A digest of the credentials of a request: two requests of different users have different digests.
///
/// Credentials are the fields that are marked as such or named like one (``HTTPFieldName/isAlwaysCredential``), and the user in the URL.
package struct CredentialDigest: Sendable, Hashable {
    /// The SHA-256 digest in hexadecimal, or an empty string if the request has no credentials.
    package let text: String
    /// Whether the request's only credential is a `Cookie` field.
    package let isCookieOnly: Bool

    /// Creates the digest of a request's credentials.
    package init(of request: HTTPRequest) {
        // As bytes: different bytes may be equal as texts.
        var lines: [(name: [UInt8], value: [UInt8])] = []
        var hasOthers = false
        request.headers.forEachCredential { name, value in
            lines.append((name.map(Token.lowercased), Array(value)))
            if !name.elementsEqual("cookie".utf8, by: { Token.lowercased($0) == $1 }) { hasOthers = true }
        }
        if request.urlText.utf8.contains(UInt8(ascii: "@")), let user = request.url.user(percentEncoded: true) {
            lines.append((Array("url ".utf8), Array((user + ":" + (request.url.password(percentEncoded: true) ?? "")).utf8)))
            hasOthers = true
        }
        isCookieOnly = !lines.isEmpty && !hasOthers
        guard !lines.isEmpty else {
            text = ""
            return
        }
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
        text = Hex.text(hash.finish())
    }
}
