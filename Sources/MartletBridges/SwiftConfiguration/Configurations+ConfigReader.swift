#if SwiftConfiguration
public import Configuration
public import MartletClient
public import MartletEssentials
public import MartletHTTP

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension HTTPClient {
    /// Reads the base URL of a client, the key `baseURL`.
    ///
    /// ```swift
    /// let config = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "prices")  // such as PRICES_TIMEOUT_TOTAL_MS=3000
    /// let client = try await HTTPClient(
    ///     baseURL: HTTPClient.baseURL(configReader: config),
    ///     transport: PlatformTransport(TransportConfiguration(configReader: config)),
    ///     interceptors: [RetryInterceptor(RetryPolicy(configReader: config))],
    ///     configuration: HTTPClient.Configuration(configReader: config))
    /// ```
    ///
    /// - Throws: ``SettingError`` if the key is missing, because there is no default, and if its value is not an `http` or `https` URL.
    public static func baseURL(configReader: ConfigReader) async throws(SettingError) -> URL {
        let settings = SettingReader(configReader), requirement = "an http or https URL without a user name, a password and a fragment"
        let url = try await settings.text("baseURL", requirement) { text -> URL? in
            guard let url = URLReference.absolute(text), !text.contains("#"), CheckedOrigin.problem(of: url) == nil else { return nil }
            return url
        }
        guard let url else { throw settings.error("baseURL", requirement) }
        return url
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension HTTPClient.Configuration {
    /// Creates the configuration of a client from the keys `timeout.…`, `limits.…` and `redirect.…`.
    ///
    /// <doc:SwiftConfiguration> lists the keys. A missing key keeps the default. A key whose name is misspelt is missing.
    ///
    /// - Throws: ``SettingError`` for a value that can't be used.
    public init(configReader: ConfigReader) async throws(SettingError) {
        let settings = SettingReader(configReader)
        self.init()
        totalTimeout = try await settings.milliseconds("timeout.totalMs") ?? totalTimeout
        attemptTimeout = try await settings.milliseconds("timeout.attemptMs") ?? attemptTimeout
        idleTimeout = try await settings.milliseconds("timeout.idleMs") ?? idleTimeout
        limits.bodyBytes = try await settings.integer("limits.bodyBytes", 0...Int.max, of: "bytes") ?? limits.bodyBytes
        limits.headBytes = try await settings.integer("limits.headBytes", 1...Int.max, of: "bytes") ?? limits.headBytes
        limits.fieldCount = try await settings.integer("limits.fieldCount", 1...Int.max) ?? limits.fieldCount
        limits.streamBytes =
            try await settings.integer("limits.streamBytes", 0...Int.max, of: "bytes").map { Int64($0) } ?? limits.streamBytes
        let maxRedirects = try await settings.integer("redirect.maxRedirects", 0...SettingReader.maximum)
        let follows = try await settings.choice("redirect.mode", ["follow": true, "disallow": false]) ?? true
        if !follows { redirects = .none } else if let maxRedirects { redirects = .follow(maxRedirects: maxRedirects) }
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension TransportConfiguration {
    /// Creates the configuration of a transport from the keys `timeout.connectionMs`, `connectionPool.…`, `httpVersion`, `dnsOverrides`,
    /// `proxy.…`, `tls.…` and `engines`.
    ///
    /// <doc:SwiftConfiguration> lists the keys. A missing key keeps the default. A key whose name is misspelt is missing. The URL, the user
    /// name and the password of a proxy are read as secrets, so that an access log does not contain them.
    ///
    /// - Throws: ``SettingError`` for a value that can't be used.
    public init(configReader: ConfigReader) async throws(SettingError) {
        let settings = SettingReader(configReader), counts = 0...SettingReader.maximum
        self.init()
        connectTimeout = try await settings.milliseconds("timeout.connectionMs") ?? connectTimeout
        maxIdleTime = try await settings.milliseconds("connectionPool.idleTimeoutMs") ?? maxIdleTime
        maxConnectionAge = try await settings.milliseconds("connectionPool.maxAgeMs") ?? maxConnectionAge
        maxConnectionsPerOrigin = try await settings.integer("connectionPool.maxConnectionsPerOrigin", counts) ?? maxConnectionsPerOrigin
        maxConnections = try await settings.integer("connectionPool.maxConnections", counts) ?? maxConnections
        maxIdleConnections = try await settings.integer("connectionPool.maxIdleConnections", counts) ?? maxIdleConnections
        engines = try await settings.integer("engines", 1...1_000) ?? engines
        allowsHTTP2 = try await settings.choice("httpVersion", ["automatic": true, "http1Only": false]) ?? allowsHTTP2
        tls.minimumVersion = try await settings.choice("tls.minimumVersion", ["1.2": .tls12, "1.3": .tls13]) ?? tls.minimumVersion
        tls.trust = try await settings.text("tls.caFile", "the path of a PEM file") { .systemAndFile($0) } ?? tls.trust
        let overrides = try await settings.texts("dnsOverrides", "a list of host:address, such as api.example.com:10.0.0.1") { entry in
            entry.firstIndex(of: ":").flatMap { colon -> (host: String, address: String)? in
                let host = String(entry[..<colon]), address = String(entry[entry.index(after: colon)...])
                return host.isEmpty || IPAddress(address) == nil ? nil : (host, address)
            }
        }
        for (host, address) in overrides ?? [] { resolve[host, default: []].append(address) }
        proxy = try await ProxySettings(settings) ?? proxy
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension ProxySettings {
    /// Reads the keys `proxy.…`. Nil if they are missing.
    fileprivate init?(_ settings: SettingReader) async throws(SettingError) {
        let requirement = "the URL of a proxy with the scheme http, https, socks5 or socks5h"
        let username = try await settings.text("proxy.username", "a user name", isSecret: true) { $0 }
        let password = try await settings.text("proxy.password", "a password", isSecret: true) { $0 }
        let proxy = try await settings.text("proxy.url", requirement, isSecret: true) { text in
            URLReference.absolute(text).flatMap { try? Proxy(url: $0, username: username, password: password) }
        }
        let rule = "a list of names, addresses and networks, such as example.com and 10.0.0.0/8"
        let bypass = try await settings.texts("proxy.bypass", rule) { ProxyBypass($0) == nil ? nil : $0 }
        let mode = try await settings.choice("proxy.mode", ["none": ProxySettings.none, "system": .system, "environment": .environment])
        guard let proxy else {
            guard username == nil, password == nil, bypass == nil else {
                throw settings.error("proxy.url", requirement + ", because other keys of the proxy have values")
            }
            guard let mode else { return nil }
            self = mode
            return
        }
        guard mode == nil else { throw settings.error("proxy.mode", "left out, because proxy.url has a value") }
        self = .explicit(proxy, bypass: bypass ?? [])
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension RetryPolicy {
    /// Creates a retry policy from the keys `retry.…`.
    ///
    /// <doc:SwiftConfiguration> lists the keys. A missing key keeps the default. A key whose name is misspelt is missing.
    ///
    /// - Throws: ``SettingError`` for a value that can't be used.
    public init(configReader: ConfigReader) async throws(SettingError) {
        let settings = SettingReader(configReader)
        self.init()
        maxAttempts = try await settings.integer("retry.maxAttempts", 1...SettingReader.maximum) ?? maxAttempts
        maxRetryAfter = try await settings.milliseconds("retry.maxRetryAfterMs", from: 0) ?? maxRetryAfter
        let isFailure = 400...599
        statuses =
            try await settings.integers("retry.statuses", "a list of statuses from 400 to 599") {
                isFailure.contains($0) ? HTTPStatus(rawValue: $0) : nil
            }.map { Set($0) } ?? statuses
        let base = try await settings.milliseconds("retry.baseDelayMs"), cap = try await settings.milliseconds("retry.maxDelayMs")
        switch (base, cap) {
        case (let base?, let cap?): backoff = .exponential(base: base, cap: cap)
        case (let base?, nil): backoff = .exponential(base: base)
        case (nil, let cap?): backoff = .exponential(cap: cap)
        case (nil, nil): break
        }
    }
}
#endif
