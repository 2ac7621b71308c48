#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import MartletEssentials
internal import MartletHTTP
internal import NIOCore
internal import NIOSSL

/// A transport's configuration as async-http-client understands it. An object, because a value of this size would be copied for each
/// request.
final class ClientSettings: Sendable {
    let configuration: AsyncHTTPClient::HTTPClient.Configuration
    let route: ClientRoute
    let proxy: ProxySettings
    /// The TLS settings for each client certificate of ``identities``, in its order.
    private let identified: [TLSConfiguration]
    private let identities: TLSSettings

    /// - Throws: `.engineUnavailable` for a setting that async-http-client can't follow, and `.invalidRequest` for certificates that can't
    ///   be read.
    init(_ wanted: TransportConfiguration) throws(HTTPError) {
        try ClientSettings.check(wanted)
        let tls = try ClientSettings.tls(wanted.tls)
        identities = wanted.tls
        var identified: [TLSConfiguration] = []
        for identity in wanted.tls.clientIdentities { identified.append(try ClientSettings.adding(identity.certificate, to: tls)) }
        self.identified = identified
        proxy = wanted.proxy
        let addresses = wanted.resolve.compactMap { name, addresses in addresses.first.map { (name.lowercased(), $0) } }
        route = ClientRoute(
            unixSocket: wanted.unixSocket, addresses: Dictionary(addresses, uniquingKeysWith: { first, _ in first }))
        var configuration = AsyncHTTPClient::HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: .milliseconds(max(1, wanted.connectTimeout.inMilliseconds)))
        configuration.connectionPool.idleTimeout = .seconds(max(1, wanted.maxIdleTime.components.seconds))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            wanted.maxConnectionsPerOrigin > 0 ? wanted.maxConnectionsPerOrigin : Int(Int32.max)
        // The client retries, by its own rules. Otherwise a refused connection would be tried until the connect timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = wanted.allowsHTTP2 ? .automatic : .http1Only
        configuration.dnsOverride = route.addresses
        // The client has spans and context of its own.
        configuration.tracing.tracer = nil
        self.configuration = configuration
    }

    /// Returns the TLS settings for a request, or nil for those of the configuration.
    func tls(for request: HTTPRequest) -> TLSConfiguration? {
        if identified.isEmpty { return nil }
        return request.url.host.flatMap { identities.clientIdentityIndex(for: $0) }.map { identified[$0] }
    }

    /// Returns the configuration with a proxy.
    ///
    /// - Throws: `.engineUnavailable` for a proxy that async-http-client does not support.
    func configuration(through proxy: MartletHTTP::Proxy) throws(HTTPError) -> AsyncHTTPClient::HTTPClient.Configuration {
        var configuration = configuration
        let hasCredentials = proxy.username != nil || proxy.password != nil
        switch proxy.url.scheme {
        case "http":
            configuration.proxy = .server(
                host: proxy.host, port: proxy.port,
                authorization: hasCredentials ? .basic(username: proxy.username ?? "", password: proxy.password ?? "") : nil)
        case "socks5h" where !hasCredentials: configuration.proxy = .socksServer(host: proxy.host, port: proxy.port)
        case "socks5h": throw .engineUnavailable("async-http-client does not support credentials for a SOCKS proxy")
        case "socks5":
            throw .engineUnavailable("async-http-client lets the proxy resolve names, and does not resolve them itself: use socks5h")
        default: throw .engineUnavailable(Explanation("async-http-client does not support proxies that are reached over TLS: \(proxy)"))
        }
        return configuration
    }

    private static func check(_ wanted: TransportConfiguration) throws(HTTPError) {
        if !wanted.tls.pinnedKeys.isEmpty { throw .engineUnavailable("async-http-client does not support pinned keys") }
        for (host, addresses) in wanted.resolve {
            guard addresses.count == 1, IPAddress(addresses[0]) != nil else {
                throw .engineUnavailable(
                    Explanation("async-http-client takes exactly one IP address for each name in `resolve`: \(Redaction.line(host))"))
            }
        }
        if let path = wanted.unixSocket, path.isEmpty || path.utf8.contains(0) || path.utf8.count > 103 {
            throw .invalidRequest("the path in `unixSocket` is empty, contains a null byte, or is longer than 103 bytes")
        }
    }

    private static func tls(_ settings: TLSSettings) throws(HTTPError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = settings.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        switch settings.trust {
        case .file(let path): tls.trustRoots = .certificates(try certificates(in: path))
        case .certificates(let bytes): tls.trustRoots = .certificates(try certificates(bytes))
        case .systemAndFile(let path): tls.additionalTrustRoots = [.certificates(try certificates(in: path))]
        case .systemAndCertificates(let bytes): tls.additionalTrustRoots = [.certificates(try certificates(bytes))]
        default: break
        }
        return tls
    }

    private static func certificates(in path: String) throws(HTTPError) -> [NIOSSLCertificate] {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else { throw unreadable("the file \(Redaction.line(path))") }
        return try certificates(bytes, of: "the file \(Redaction.line(path))")
    }

    private static func certificates(_ bytes: Data, of what: String = "the bytes") throws(HTTPError) -> [NIOSSLCertificate] {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(bytes)), !certificates.isEmpty else { throw unreadable(what) }
        return certificates
    }

    private static func unreadable(_ what: String) -> HTTPError {
        .invalidRequest(Explanation("the certificates to trust can't be read: \(what) is missing, unreadable, or not in PEM format"))
    }

    private static func adding(_ identity: ClientCertificate, to tls: TLSConfiguration) throws(HTTPError) -> TLSConfiguration {
        var tls = tls
        do {
            switch identity {
            case .pem(let certificates, let key, let password):
                tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(certificates)).map { .certificate($0) }
                let pem = Array(key)
                let privateKey = try password.map { password in
                    try NIOSSLPrivateKey(bytes: pem, format: .pem) { $0(password.utf8) }
                }
                tls.privateKey = .privateKey(try privateKey ?? NIOSSLPrivateKey(bytes: pem, format: .pem))
            case .pkcs12(let archive, let password):
                let bundle = try NIOSSLPKCS12Bundle(buffer: Array(archive), passphrase: Array(password.utf8))
                tls.certificateChain = bundle.certificateChain.map { .certificate($0) }
                tls.privateKey = .privateKey(bundle.privateKey)
            }
        } catch {
            throw .invalidRequest(
                Explanation("the client certificate can't be read: wrong format or password", context: ErrorContext(underlying: error)))
        }
        return tls
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int64 {
        components.seconds.multipliedReportingOverflow(by: 1000).overflow
            ? Int64.max / 1_000_000 : min(Int64.max / 1_000_000, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}

extension AsyncHTTPClient::HTTPClient {
    /// The configuration that the client was created with, or nil if this version of async-http-client hides it.
    var knownConfiguration: Configuration? {
        Mirror(reflecting: self).children.first { $0.label == "configuration" }?.value as? Configuration
    }
}
#endif
