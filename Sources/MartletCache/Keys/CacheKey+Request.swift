#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CacheKey {
    /// Returns the target URI of a request: see ``TargetURI/uri(of:)-(HTTPRequest)``.
    static func uri(of request: HTTPRequest) -> String { TargetURI.uri(of: request) }

    /// Returns the target URI for a URL.
    static func uri(of url: URL) -> String { TargetURI.uri(of: url) }
}
