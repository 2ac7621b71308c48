internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The route of a transport's requests: by the system's settings, or by settings of its own.
struct ProxyRoute: Sendable {
    private let settings: ProxySettings

    #if canImport(FoundationNetworking)
    /// Throws `.engineUnavailable` for settings other than the system's: FoundationNetworking always reads the environment.
    init(_ settings: ProxySettings) throws(HTTPError) {
        self.settings = settings
        guard settings == .system else {
            throw .engineUnavailable("URLSession on Linux has no settings of proxies: use CurlTransport")
        }
    }
    #else
    init(_ settings: ProxySettings) throws(HTTPError) { self.settings = settings }
    #endif

    /// Whether sessions need settings of their own.
    var isOwn: Bool { settings != .system }

    /// The proxy for a URL; nil for none. Throws what `ProxySettings` throws.
    func proxy(for url: URL) throws(HTTPError) -> Proxy? {
        // The environment is copied at each call: only who asks for it pays.
        let environment = settings == .environment ? ProcessInfo.processInfo.environment : [:]
        return try settings.proxy(for: url, environment: environment)
    }

    /// Whether a proxy is in the way to a URL, as far as can be seen: that of the settings, or on Linux of the environment. What Apple's
    /// system settings say is not seen.
    func seesProxy(for url: URL) throws(HTTPError) -> Bool {
        #if canImport(FoundationNetworking)
        return try ProxySettings.environment.proxy(for: url, environment: ProcessInfo.processInfo.environment) != nil
        #else
        return try proxy(for: url) != nil
        #endif
    }

    /// The settings of a session for `connectionProxyDictionary`; empty for none.
    ///
    /// By the keys' text: their names in Core Foundation are not there on every platform. Throws `.engineUnavailable` for a proxy
    /// that is itself reached over TLS, and for a name and password for SOCKS, which URLSession does not know.
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
                throw .engineUnavailable("URLSession sends no name and password to a SOCKS proxy")
            }
            return settings("SOCKS")
        default: throw .engineUnavailable("URLSession does not reach a proxy over TLS: \(proxy)")
        }
    }
}
