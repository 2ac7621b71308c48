#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CacheKey {
    /// The target of a request: see ``TargetURI/uri(of:)-(HTTPRequest)``.
    static func uri(of request: HTTPRequest) -> String { TargetURI.uri(of: request) }

    /// The target of a URL.
    static func uri(of url: URL) -> String { TargetURI.uri(of: url) }
}
