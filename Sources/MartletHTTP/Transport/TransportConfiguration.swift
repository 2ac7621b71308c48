internal import MartletEssentials

/// The configuration of a transport, with settings for TLS, the proxy, connections and the protocol.
///
/// ```swift
/// var configuration = TransportConfiguration()
/// configuration.tls.minimumVersion = .tls13
/// configuration.maxConnectionsPerOrigin = 4
/// let client = HTTPClient(baseURL: url, transport: PlatformTransport(configuration))
/// ```
///
/// Every transport takes the same configuration, so that an app needs no code for one platform. A transport that cannot follow a value that
/// was changed sends nothing, and each request throws `.engineUnavailable` with the reason. Values that only tune a transport are ignored
/// where there is nothing to tune: each says so.
public struct TransportConfiguration: Sendable, Hashable {
    // MARK: Security and route

    /// The trusted certificates, pinned keys and client certificates. Default: the system's authorities, TLS 1.2 and later.
    ///
    /// A file that is missing, unreadable or not in PEM makes every `https` request fail with `.invalidRequest`, which names it.
    /// `systemAndFile` and `systemAndCertificates` are read once, when the transport sends its first request: without any certificate in
    /// them, every request fails, also an `http` one. With libcurl, certificates given as bytes need version 7.77 and client certificates
    /// 7.71. URLSession on Linux has no TLS settings.
    public var tls = TLSSettings()

    /// Whether requests go through a proxy, and which one. Default: `.system`.
    ///
    /// `https` requests use a tunnel (`CONNECT`, RFC 9110 §9.3.6). `.environment` is read once, by the first request. Credentials are sent
    /// with the Basic scheme. A failure of the connection to the proxy is `.networkError(.proxyFailed)`. If a proxy requests other
    /// credentials (407), the error is `.statusCode` for `http` and `https` alike, with the `Proxy-Authenticate` fields in
    /// ``HTTPError/response``. A refused tunnel throws this error even if the request accepts every status, because the origin server has
    /// not responded.
    public var proxy = ProxySettings.system

    /// The addresses of host names, used instead of DNS, as in `["api.example.com": ["10.0.0.1", "::1"]]`. Default: none. URLSession cannot
    /// do this.
    ///
    /// They apply to any port. Names are compared without regard to case. TLS still checks the certificate against the name.
    public var resolve: [String: [String]] = [:]

    /// The path of a Unix domain socket to which every request goes, whatever its URL's host. Default: nil. URLSession cannot do this.
    public var unixSocket: String?

    /// Whether HTTP/2 is used if the server offers it over TLS (by ALPN). Default: true. URLSession cannot be limited to HTTP/1.1.
    ///
    /// With false, and always for `http` URLs, HTTP/1.1 is used.
    public var allowsHTTP2 = true

    // MARK: Connections

    /// The time limit for connecting: name lookup, TCP and TLS. Default: 30 seconds. URLSession ignores it.
    ///
    /// A connection that takes longer fails with `.timeout` and the stage `.connect`. The limit is rounded to milliseconds, at least one.
    public var connectTimeout: Duration = .seconds(30)

    /// The maximum number of connections to one origin (scheme, host and port). Default: 64; 0 for no limit. Further requests wait without
    /// delaying requests to other origins.
    ///
    /// With HTTP/2, one connection carries up to a hundred concurrent requests. A streamed response occupies its place until it has been
    /// read.
    public var maxConnectionsPerOrigin = 64

    /// The maximum number of connections to all origins together. Default: 512; 0 for no limit. Further requests wait, and their origins
    /// take turns. URLSession ignores it.
    public var maxConnections = 512

    /// The maximum number of connections that are upgraded to another protocol, such as WebSocket. Default: 1,000; 0 for no limit.
    /// URLSession ignores it.
    ///
    /// Connections count from the request for the upgrade until they are closed. A further request fails with
    /// ``HTTPError/limitExceeded(_:)``. They are not counted in ``maxConnections`` and ``maxConnectionsPerOrigin``, so that they never
    /// delay other requests. Each takes a file descriptor of the process, whose limit is often 1,024.
    public var maxUpgradedConnections = 1_000

    /// The maximum number of unused connections that are kept open for later requests. Default: 128. URLSession ignores it.
    public var maxIdleConnections = 128

    /// The maximum time for which an unused connection is kept open for later requests. Default: 60 seconds. It is counted in whole
    /// seconds, at least one. URLSession ignores it.
    public var maxIdleTime: Duration = .seconds(60)

    /// The maximum time that a connection may have been idle to be used for a request that is not idempotent. Default: 4 seconds. With
    /// zero, each such request uses a new connection. URLSession ignores it.
    ///
    /// If a server closes an idle connection while such a request is in transit, the request fails with `.connectionLost` and is not sent
    /// again, because the server may have processed it. Many servers close idle connections after 5 seconds. If an origin's responses
    /// announce its timeout (`Keep-Alive: timeout=5`), that timeout minus one second replaces this value. The limit is applied in whole
    /// seconds and rounded down by up to one second; below two seconds no connection is used again. ``maxIdleTime`` applies as well.
    ///
    /// When such a request is sent, libcurl also closes unused connections to other origins that have been idle for longer.
    public var maxIdleTimeWhenNotIdempotent: Duration = .seconds(4)

    /// The age after which a connection is not used for new requests, however busy it is, or nil for no limit. Default: nil, no limit. It
    /// is counted in whole seconds. URLSession ignores it.
    ///
    /// With a limit, clients notice changes of DNS, and servers can shut down. It requires libcurl 7.80.
    public var maxConnectionAge: Duration?

    // MARK: Threads

    /// The number of engines, each a thread that runs transfers over connections of its own. Default: 2, or a quarter of the processor's
    /// cores if that is more, at most 8; with a single core 1. Minimum: 1. URLSession ignores it.
    ///
    /// One engine handles some 28,000 small responses per second. The limits on connections apply to all engines together: each engine gets
    /// an equal part of each limit. A transport therefore has at most ``maxConnections`` engines, and at most ``maxIdleConnections``.
    ///
    /// Requests to one origin go to the same engine until 32 of them run there, 100 with HTTP/2, or as many as its part of the limits
    /// allows. They reuse its connections and share its HTTP/2 connection. Further requests go to the next engine. The requests of a task
    /// on `CurlTransport.taskExecutor` go to the engine whose thread runs the task.
    ///
    /// The default counts the cores that the process may use. It does not know a container's limit on processor time.
    public var engines = TransportConfiguration.defaultEngines

    /// Returns the default of ``engines`` for a number of cores.
    static func engines(cores: Int) -> Int { cores < 2 ? 1 : min(max(cores / 4, 2), 8) }

    private static let defaultEngines: Int = {
        #if DEBUG
        // With this variable, all tests of this package run over several engines on a machine with few cores.
        if let wanted = ProcessInfo.processInfo.environment["MARTLET_TEST_ENGINES"].flatMap({ Int($0) }) { return wanted }
        #endif
        return engines(cores: ProcessInfo.processInfo.activeProcessorCount)
    }()

    // MARK: Bodies

    /// The number of bytes of a streamed body that are received ahead of the reader, counted after decompression. Default: 1 MiB
    /// (1,048,576).
    ///
    /// libcurl exceeds it by at most one network read (256 KiB), and reads less at a time if the buffer is smaller. A small buffer slows
    /// fast streams down. URLSession ignores it: `URLSessionTransport` has a parameter of its own.
    public var streamBufferSize = 1024 * 1024

    /// The maximum number of nested content codings (RFC 9110 §8.4) that the transport decodes; a response with more fails. Default: 2.
    /// Minimum: 1. URLSession ignores it.
    ///
    /// Nested codings multiply the size: a few kilobytes can become gigabytes. A response with more codings fails with `.invalidResponse`.
    /// A request that sets `Accept-Encoding` itself receives any body as it was sent.
    public var maxContentCodings = 2

    /// The maximum number of bytes of unused memory that is kept for later bodies. Default: 8 MiB (8,388,608); 0 keeps none.
    /// URLSession ignores it.
    ///
    /// Bodies, and pieces of streamed ones, from 16 KiB to 1 MiB use this memory, which saves page faults. It returns when the last copy
    /// or slice of a body's `Data` is released. Memory in use is not counted. Without the transport and its bodies, none is kept.
    public var maxRecycledBodyBytes = 8 << 20

    /// Creates a configuration with the default of each value.
    public init() {}
}

extension TransportConfiguration {
    /// Throws `.invalidRequest` if ``resolve`` or ``unixSocket`` is invalid.
    package func checkAddresses() throws(HTTPError) {
        for (host, addresses) in resolve where addresses.isEmpty {
            throw .invalidRequest(Explanation("“\(Redaction.line(host))” in `resolve` has no addresses: list at least one"))
        }
        for host in resolve.keys where !host.isHostName {
            throw .invalidRequest(
                Explanation("“\(Redaction.line(host))” in `resolve` is not a host name: use ASCII letters, digits, - _ and ."))
        }
        guard Set(resolve.keys.map { $0.lowercased() }).count == resolve.count else {
            throw .invalidRequest("`resolve` lists a name twice: upper and lower case are the same name")
        }
        for address in resolve.values.joined() where IPAddress(address) == nil {
            throw .invalidRequest(Explanation("“\(Redaction.line(address))” in `resolve` is not an IP address"))
        }
        if let unixSocket, unixSocket.isEmpty || unixSocket.utf8.contains(0) || unixSocket.utf8.count > 107 {
            throw .invalidRequest("the path in `unixSocket` is empty, contains a null byte, or is longer than 107 bytes")
        }
    }
}

extension String {
    /// Whether this string can be the host of a URL: an ASCII name (an international one in its `xn--` form), or an IP address without
    /// brackets.
    fileprivate var isHostName: Bool {
        IPAddress(self) != nil && !hasPrefix("[")
            || !isEmpty && !hasSuffix(".")
                && utf8.allSatisfy { byte in
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8.contains(byte)
                }
    }
}
