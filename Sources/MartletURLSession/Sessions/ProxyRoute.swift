internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The proxies of a transport: those of the system's settings, or of its own.
struct ProxyRoute: Sendable {
    private let settings: ProxySettings

    #if canImport(FoundationNetworking)
    /// Throws `.engineUnavailable` for settings other than the system's: FoundationNetworking always reads the environment.
    init(_ settings: ProxySettings) throws(HTTPError) {
        self.settings = settings
        guard settings == .system else {
            throw .engineUnavailable("URLSession on Linux does not support proxy settings: use CurlTransport")
        }
    }
    #else
    init(_ settings: ProxySettings) throws(HTTPError) { self.settings = settings }
    #endif

    /// Whether the sessions have proxy settings of their own.
    var isOwn: Bool { settings != .system }

    /// Returns the proxy for a URL, or nil for none. Throws the errors of `ProxySettings`.
    func proxy(for url: URL) throws(HTTPError) -> Proxy? {
        // The environment is copied at each call, so it is read only when needed.
        let environment = settings == .environment ? ProcessInfo.processInfo.environment : [:]
        return try settings.proxy(for: url, environment: environment)
    }

    /// Whether a known proxy is used for a URL: one of the settings or, on Linux, of the environment. Proxies in Apple's system settings
    /// are not visible.
    func seesProxy(for url: URL) throws(HTTPError) -> Bool {
        #if canImport(FoundationNetworking)
        return try ProxySettings.environment.proxy(for: url, environment: ProcessInfo.processInfo.environment) != nil
        #else
        return try proxy(for: url) != nil
        #endif
    }

    /// Returns a session's `connectionProxyDictionary`; empty for none.
    ///
    /// The keys are written as text, because their constants are not available on every platform. Throws `.engineUnavailable` for a proxy
    /// that is itself reached over TLS, and for a SOCKS proxy with credentials, which URLSession does not support.
    static func dictionary(for proxy: Proxy?) throws(HTTPError) -> [String: any Sendable] {
        guard let proxy else { return [:] }
        func settings(_ names: String...) -> [String: any Sendable] {
            names.reduce(into: [:]) { result, name in
                result["\(name)Enable"] = 1
                result["\(name)Proxy"] = proxy.host
                result["\(name)Port"] = proxy.port
            }
        }
        switch proxy.url.scheme {
        case "http": return settings("HTTP", "HTTPS")
        case "socks5", "socks5h":
            guard proxy.username == nil, proxy.password == nil else {
                throw .engineUnavailable("URLSession does not support credentials for a SOCKS proxy")
            }
            return settings("SOCKS")
        default: throw .engineUnavailable("URLSession does not support proxies that are reached over TLS: \(proxy)")
        }
    }
}
