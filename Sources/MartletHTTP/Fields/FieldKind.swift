/// What the name of a header field says about the user. One list for redirects, caches, coalescing and partial downloads.
enum FieldKind: Sendable, Equatable {
    /// The name indicates a credential (``HTTPFieldName/isAlwaysCredential``).
    case credential
    /// Nothing is known about the field, so it may be a credential, or identify the user.
    case unknown
    /// The field is neither a secret nor does it identify the user. `isPortable` is whether it is also sent to another origin.
    case harmless(isPortable: Bool)

    /// Creates the kind of a field from its name.
    init(_ name: ArraySlice<UInt8>) {
        if name.count < FieldKind.namesByLength.count,
            let known = FieldKind.namesByLength[name.count].first(where: { FieldKind.isPrefix($0.text, of: name) })
        {
            self = .harmless(isPortable: known.isPortable)
        } else if SecretNames.contains(String(decoding: name, as: UTF8.self)) {
            self = .credential
        } else if let known = FieldKind.prefixes.first(where: { FieldKind.isPrefix($0.text, of: name) }) {
            self = .harmless(isPortable: known.isPortable)
        } else {
            self = .unknown
        }
    }

    private struct Known: Sendable {
        let text: [UInt8]
        let isPortable: Bool
    }

    private static func isPrefix(_ prefix: [UInt8], of name: ArraySlice<UInt8>) -> Bool {
        name.count >= prefix.count && prefix.elementsEqual(name.prefix(prefix.count)) { $0 == Token.lowercased($1) }
    }

    private static let portableNames = [
        "accept", "accept-encoding", "accept-language", "content-length", "content-type", "if-modified-since", "if-none-match", "if-range",
        "range", "traceparent", "tracestate", "user-agent",
        // The fields of protocols that Martlet speaks, with which the target of a redirect continues the work.
        "apollo-require-preflight", "last-event-id", "tus-resumable", "upload-length", "upload-metadata", "upload-offset",
    ]
    private static let otherNames = [
        "cache-control", "idempotency-key", "origin", "pragma", "prefer", "referer", "x-correlation-id", "x-request-id",
        // A part of every key of its own, as the authority of the target.
        "host",
    ]
    private static let prefixes =
        ["accept-", "content-", "if-"].map { Known(text: Array($0.utf8), isPortable: true) }
        + ["tus-", "upload-"].map { Known(text: Array($0.utf8), isPortable: false) }

    /// The harmless names by their length.
    private static let namesByLength: [[Known]] = {
        let known =
            portableNames.map { Known(text: Array($0.utf8), isPortable: true) }
            + otherNames.map { Known(text: Array($0.utf8), isPortable: false) }
        let longest = known.map(\.text.count).max() ?? 0
        return (0...longest).map { length in known.filter { $0.text.count == length } }
    }()
}
