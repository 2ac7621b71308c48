internal import MartletClient
internal import MartletEssentials
internal import MartletHTTP

/// Decides whether a response may be used for other calls. Pure functions.
///
/// The keys of the document cache and of running queries are computed before interceptors run. The request that was sent shows what
/// interceptors added (a token, a `Host`, another field that may identify the user). If it differs from the request that the key
/// represents, its response is used for no other call.
enum ResponseAttribution {
    /// Whether a response is valid for every call whose request equals `made`.
    ///
    /// - Parameters:
    ///   - metadata: The response's metadata.
    ///   - made: The request as the clients create it, with the call's own fields.
    ///   - hasScope: Whether the app sets a scope. The identities then need not match.
    static func isKnown(_ metadata: ResponseMetadata, to made: HTTPRequest, hasScope: Bool) -> Bool {
        guard let sent = metadata.request else { return hasScope }
        guard TargetURI.isSameAuthority(sent, made) else { return false }
        if hasScope { return true }
        let names = sent.headers.contains("Upgrade") ? handshakeFields : []
        // An earlier request of the call may have carried a credential, and its response may have led to one user's data.
        return metadata.credential == nil && metadata.redirects.isEmpty
            && RequestIdentity(of: sent, naming: names).fields == RequestIdentity(of: made).fields
            && secrets(in: sent.url) == secrets(in: made.url)
    }

    /// The fields of a WebSocket's handshake, which say nothing about the user (RFC 6455 §11.3).
    private static let handshakeFields: Set<HTTPFieldName> = [
        "Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions",
    ]

    /// Returns the secret items of a URL's query.
    private static func secrets(in url: URL) -> [Substring] {
        (url.query(percentEncoded: true) ?? "").split(separator: "&").filter { Redaction.isSecret($0.prefix { $0 != "=" }) }
    }
}
