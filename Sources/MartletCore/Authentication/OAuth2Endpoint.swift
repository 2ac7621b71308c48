#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The rule for the endpoints of an authorization server: what is sent there is secret (RFC 6749 §3.1, §3.2).
enum OAuth2Endpoint {
    /// Returns why secrets must not be sent to `url`, or nil if they may.
    ///
    /// Only `https` is accepted, and `http` to this machine: an address of 127.0.0.0/8 however it is spelled, `::1`, or `localhost`.
    static func refusal(of url: URL) -> String? {
        let url = url.absoluteURL
        let scheme = url.scheme?.lowercased() ?? ""
        guard let host = url.host, !host.isEmpty else { return "“\(Redaction.url(url))” has no host" }
        if scheme == "https" || scheme == "http" && HostSpelling(host).isLoopback { return nil }
        return "“\(Redaction.url(url))” is not https, and its host is not this machine: secrets would be sent in clear text"
    }
}
