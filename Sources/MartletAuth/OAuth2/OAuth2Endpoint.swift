internal import MartletEssentials

/// The security check for an authorization server's endpoints, which receive secrets (RFC 6749 §3.1, §3.2).
enum OAuth2Endpoint {
    /// Returns why secrets must not be sent to `url`, or nil if they may.
    ///
    /// `https` is accepted. `http` is accepted only for this machine: an address of 127.0.0.0/8 in any spelling, `::1`, or `localhost`.
    static func refusal(of url: URL) -> String? {
        let url = url.absoluteURL
        let scheme = url.scheme?.lowercased() ?? ""
        guard let host = url.host, !host.isEmpty else { return "“\(Redaction.url(url))” has no host" }
        if scheme == "https" || scheme == "http" && HostSpelling(host).isLoopback { return nil }
        return "“\(Redaction.url(url))” is not https, and its host is not this machine: secrets would be sent in clear text"
    }
}
