internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Whether it is known whose response a response is: functions of values.
///
/// Keys of the document cache and of queries under way are made before interceptors run. What these add (a token, a `Host`) is seen in the
/// request that was sent, and a response to another request than the key stands for is used for no other call.
enum ResponseAttribution {
    /// Whether a response is that of every call whose request is made as `made` is.
    ///
    /// - Parameters:
    ///   - metadata: the response's.
    ///   - made: the request as the GraphQL client makes it, with the credentials that the call itself has.
    ///   - hasScope: whether the app names the user: then credentials need not be seen.
    static func isKnown(_ metadata: ResponseMetadata, to made: HTTPRequest, hasScope: Bool) -> Bool {
        guard let sent = metadata.request else { return hasScope }
        guard TargetURI.isSameAuthority(sent, made) else { return false }
        if hasScope { return true }
        // An earlier request of the call may have had a credential, and its response may have led to one user's data.
        return metadata.credential == nil && metadata.redirects.isEmpty
            && CacheScope.credentials(of: sent) == CacheScope.credentials(of: made) && secrets(in: sent.url) == secrets(in: made.url)
    }

    /// The secret items of a query.
    private static func secrets(in url: URL) -> [Substring] {
        (url.query(percentEncoded: true) ?? "").split(separator: "&").filter { Redaction.isSecret($0.prefix { $0 != "=" }) }
    }
}
