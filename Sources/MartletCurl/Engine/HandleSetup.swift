internal import CMartletCurl
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP

/// The options and the memory that all handles of a transport share.
struct HandleSetup {
    let library: CurlLibrary
    let configuration: CurlTransport.Configuration
    let trust: TrustSource
    let bodies: BodyPool

    /// The maximum number of bytes of one network read if the body is collected in memory. Larger reads are slower: the allocator returns
    /// libcurl's buffer to the system after each transfer. From libcurl 8.7 on, all transfers of an engine share the largest buffer.
    static let collectedRead = 64 * 1024
    /// The maximum number of bytes of one network read if the body is streamed.
    let streamedRead: Int
    /// The maximum length of a body that is copied into libcurl: that of a record of TLS.
    static let maxCopiedBody = 16 * 1024
    /// Whether connections of HTTP/1 are kept. They are not if they can't be checked for bytes that no request asked for: by an old
    /// libcurl, and over a Unix domain socket.
    let keepsConnections: Bool

    init(library: CurlLibrary, configuration: CurlTransport.Configuration, trust: TrustSource) {
        self.library = library
        self.configuration = configuration
        self.trust = trust
        bodies = BodyPool(limit: configuration.maxRecycledBodyBytes)
        keepsConnections = library.version.closesUnread || library.version >= .asksBeforeRequests && configuration.unixSocket == nil
        streamedRead = HandleSetup.streamedRead(buffer: configuration.streamBufferSize)
    }

    /// Returns the number of bytes of one network read for a stream's buffer. Several reads must fit into the buffer, so that the network
    /// and the reader rarely wait for each other.
    static func streamedRead(buffer: Int) -> Int { min(max(buffer / 4, 16 * 1024), 256 * 1024) }

    /// Returns the body if libcurl gets a copy of it, to send it together with the head; nil if libcurl asks for it.
    func copiedBody(of upload: Upload?) -> Data? {
        guard library.version.copiesBodies, case .data(let data)? = upload?.source,
            (1...HandleSetup.maxCopiedBody).contains(data.count)
        else { return nil }
        return data
    }

    /// Sets what every handle needs: it enables concurrent use, and disables what a transport must not do, such as other protocols, proxies
    /// from the environment, and changes to paths.
    func apply(to options: EasyOptions) {
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(CURLOPT_PATH_AS_IS, 1)
        options.set(CURLOPT_NOPROXY, string: "*")
        // Not the names that 7.85 prefers: reading them takes as long as five other options.
        options.set(CURLOPT_PROTOCOLS, CURLPROTO_HTTP.code | CURLPROTO_HTTPS.code)
        // Without this option, cancelling a transfer during its name lookup would block all transfers until the lookup ends.
        if library.version >= .leavesLookups { options.offer(CURLOPT_QUICK_EXIT, 1) }
        options.set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        if let age = configuration.maxConnectionAge { options.set(CURLOPT_MAXLIFETIME_CONN, age.wholeSeconds) }
        if let path = configuration.unixSocket { options.set(CURLOPT_UNIX_SOCKET_PATH, string: path) }
        allowVersions(of: options)
    }

    /// Sets the versions of HTTP that the configuration allows.
    func allowVersions(of options: EasyOptions) {
        if configuration.allowsHTTP2 {
            options.offer(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS.code)
        } else {
            options.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1.code)
        }
    }

    /// Sets the TLS settings of connections to servers.
    func secure(_ options: EasyOptions) {
        let oldest = configuration.tls.minimumVersion == .tls12 ? CURL_SSLVERSION_TLSv1_2 : CURL_SSLVERSION_TLSv1_3
        options.set(CURLOPT_SSLVERSION, oldest.code)
        switch trust {
        case .bytes(let bytes): options.set(CURLOPT_CAINFO_BLOB, bytes: bytes)
        case .file(let path): options.set(CURLOPT_CAINFO, string: path)
        case .memory(let file): options.set(CURLOPT_CAINFO, string: file.path)
        case .builtIn: return
        }
        // libcurl caches the parsed certificates only without a certificate directory: a handshake then takes 2 ms instead of 25.
        options.offer(CURLOPT_CAPATH, string: nil)
    }

    /// Sets the TLS settings of connections to proxies.
    func secureProxy(_ options: EasyOptions) {
        options.offer(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2.code)
        switch trust {
        case .bytes(let bytes): options.offer(CURLOPT_PROXY_CAINFO_BLOB, bytes: bytes)
        case .file(let path): options.offer(CURLOPT_PROXY_CAINFO, string: path)
        case .memory(let file): options.offer(CURLOPT_PROXY_CAINFO, string: file.path)
        case .builtIn: return
        }
        options.offer(CURLOPT_PROXY_CAPATH, string: nil)
    }
}

extension Duration {
    /// The duration in whole milliseconds, at least 1.
    var wholeMilliseconds: Int { Int(min(max((self / .milliseconds(1)).rounded(), 1), 1e9)) }

    /// The duration in whole seconds, at least 1.
    fileprivate var wholeSeconds: Int { Int(clamping: max(1, min(components.seconds, 1_000_000_000))) }
}
