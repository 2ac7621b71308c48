package import MartletEssentials

/// The digests of a `Content-Digest` or `Repr-Digest` field (RFC 9530 §2, §3), by the algorithm's name.
package struct DigestField: Sendable {
    /// The digests by algorithm name in lower case. If a name occurs twice, the last one counts, as in RFC 8941 §3.2.
    package let digests: [String: Data]

    /// Reads the values of a field. Members that are not byte sequences are ignored.
    package init(_ values: [String]) {
        var digests: [String: Data] = [:]
        for member in values.flatMap({ $0.split(separator: ",") }) {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].trimmingWhitespace.lowercased(), value = parts[1].trimmingWhitespace
            guard value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":"),
                let digest = Data(base64Encoded: String(value[value.index(after: value.startIndex)..<end]))
            else { continue }
            digests[name] = digest
        }
        self.digests = digests
    }
}
