#if SwiftConfiguration
import Configuration
import Foundation
import Martlet
import MartletBridges
import Synchronization
import Testing

@Suite("Configurations from a reader")
struct ConfigurationsTests {
    /// Records what is read.
    private final class Accesses: AccessReporter {
        private let events = Mutex<[AccessEvent]>([])

        func report(_ event: AccessEvent) { events.withLock { $0.append(event) } }

        var all: [AccessEvent] { events.withLock { $0 } }
        var keys: [String] { all.map { $0.metadata.key.components.joined(separator: ".") } }
    }

    private func memory(_ values: [AbsoluteConfigKey: ConfigValue], _ accesses: Accesses? = nil) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: values), accessReporter: accesses)
    }

    private func environment(_ variables: [String: String]) -> ConfigReader {
        ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
    }

    /// Reads everything. Returns the first error.
    private func error(_ reader: ConfigReader) async -> SettingError? {
        do throws(SettingError) {
            _ = try await HTTPClient.Configuration(configReader: reader)
            _ = try await TransportConfiguration(configReader: reader)
            _ = try await RetryPolicy(configReader: reader)
            return nil
        } catch { return error }
    }

    @Test("Without values, everything keeps its default, and the base URL is missing")
    func defaults() async throws {
        let reader = memory([:])
        let client = try await HTTPClient.Configuration(configReader: reader), standard = HTTPClient.Configuration()
        #expect(client.totalTimeout == standard.totalTimeout && client.attemptTimeout == nil && client.idleTimeout == standard.idleTimeout)
        #expect(client.limits == standard.limits && client.redirects.maxRedirects == standard.redirects.maxRedirects)
        #expect(try await TransportConfiguration(configReader: reader) == TransportConfiguration())
        let retry = try await RetryPolicy(configReader: reader)
        #expect(retry.maxAttempts == 3 && retry.backoff == .exponential() && retry.statuses == RetryPolicy.transientStatuses)
        #expect(retry.maxRetryAfter == .seconds(60))
        let error = await #expect(throws: SettingError.self) { try await HTTPClient.baseURL(configReader: reader.scoped(to: "prices")) }
        #expect(error?.key == "prices.baseURL" && error?.underlying == nil)
    }

    @Test("The configuration of a client is read from environment variables")
    func client() async throws {
        let config = environment([
            "PRICES_BASE_URL": "https://prices.example/v1", "PRICES_TIMEOUT_TOTAL_MS": "3000", "PRICES_TIMEOUT_ATTEMPT_MS": "750",
            "PRICES_TIMEOUT_IDLE_MS": "5000", "PRICES_LIMITS_BODY_BYTES": "1000000", "PRICES_LIMITS_HEAD_BYTES": "9000",
            "PRICES_LIMITS_FIELD_COUNT": "90", "PRICES_LIMITS_STREAM_BYTES": "7", "PRICES_REDIRECT_MAX_REDIRECTS": "2",
        ]).scoped(to: "prices")
        #expect(try await HTTPClient.baseURL(configReader: config) == URL(string: "https://prices.example/v1"))
        let client = try await HTTPClient.Configuration(configReader: config)
        #expect(client.totalTimeout == .seconds(3) && client.attemptTimeout == .milliseconds(750) && client.idleTimeout == .seconds(5))
        #expect(client.limits == ResponseLimits(bodyBytes: 1_000_000, headBytes: 9_000, fieldCount: 90, streamBytes: 7))
        #expect(client.redirects.maxRedirects == 2)
        let disallowed = environment(["REDIRECT_MODE": "disallow", "REDIRECT_MAX_REDIRECTS": "2"])
        let none = try await HTTPClient.Configuration(configReader: disallowed)
        #expect(none.redirects.maxRedirects == 0)
    }

    @Test("The configuration of a transport is read from typed values and from environment variables alike")
    func transport() async throws {
        var expected = TransportConfiguration()
        expected.connectTimeout = .milliseconds(1_500)
        expected.maxIdleTime = .seconds(9)
        expected.maxConnectionAge = .seconds(300)
        expected.maxConnectionsPerOrigin = 16
        expected.maxConnections = 0
        expected.maxIdleConnections = 8
        expected.engines = 3
        expected.allowsHTTP2 = false
        expected.tls = TLSSettings(trust: .systemAndFile("/etc/ca.pem"), minimumVersion: .tls13)
        expected.resolve = ["a.example": ["10.0.0.1", "::1"], "b.example": ["10.0.0.2"]]
        let typed = try await TransportConfiguration(configReader: memory([
            "timeout.connectionMs": 1_500, "connectionPool.idleTimeoutMs": 9_000, "connectionPool.maxAgeMs": 300_000,
            "connectionPool.maxConnectionsPerOrigin": 16, "connectionPool.maxConnections": 0, "connectionPool.maxIdleConnections": 8,
            "engines": 3, "httpVersion": "http1Only", "tls.caFile": "/etc/ca.pem", "tls.minimumVersion": "1.3",
            "dnsOverrides": .init(.stringArray(["a.example:10.0.0.1", "a.example:::1", "b.example:10.0.0.2"]), isSecret: false),
        ]))
        #expect(typed == expected)
        let variables = try await TransportConfiguration(configReader: environment([
            "TIMEOUT_CONNECTION_MS": "1500", "CONNECTION_POOL_IDLE_TIMEOUT_MS": "9000", "CONNECTION_POOL_MAX_AGE_MS": "300000",
            "CONNECTION_POOL_MAX_CONNECTIONS_PER_ORIGIN": "16", "CONNECTION_POOL_MAX_CONNECTIONS": "0",
            "CONNECTION_POOL_MAX_IDLE_CONNECTIONS": "8", "ENGINES": "3", "HTTP_VERSION": "http1Only", "TLS_CA_FILE": "/etc/ca.pem",
            "TLS_MINIMUM_VERSION": "1.3", "DNS_OVERRIDES": "a.example:10.0.0.1, a.example:::1, b.example:10.0.0.2",
        ]))
        #expect(variables == expected)
    }

    @Test("A proxy has a mode, or a URL with its user name, password and exceptions")
    func proxy() async throws {
        for (text, mode) in [("none", ProxySettings.none), ("system", .system), ("environment", .environment)] {
            #expect(try await TransportConfiguration(configReader: environment(["PROXY_MODE": text])).proxy == mode)
        }
        let explicit = try await TransportConfiguration(configReader: environment([
            "PROXY_URL": "http://proxy.example:3128", "PROXY_USERNAME": "ada", "PROXY_PASSWORD": "s3cret",
            "PROXY_BYPASS": "localhost,10.0.0.0/8",
        ]))
        let url = try #require(URL(string: "http://proxy.example:3128"))
        #expect(explicit.proxy == .explicit(try Proxy(url: url, username: "ada", password: "s3cret"), bypass: ["localhost", "10.0.0.0/8"]))
        let within = try await TransportConfiguration(configReader: environment(["PROXY_URL": "socks5h://ada:s3cret@proxy.example"]))
        guard case .explicit(let proxy, bypass: []) = within.proxy else { Issue.record("\(within.proxy)"); return }
        #expect(proxy.username == "ada" && proxy.password == "s3cret" && proxy.port == 1080)
    }

    @Test("A retry policy is read, and keeps the defaults of what is missing")
    func retry() async throws {
        let all = try await RetryPolicy(configReader: environment([
            "RETRY_MAX_ATTEMPTS": "5", "RETRY_BASE_DELAY_MS": "200", "RETRY_MAX_DELAY_MS": "4000", "RETRY_MAX_RETRY_AFTER_MS": "0",
            "RETRY_STATUSES": "502, 503",
        ]))
        #expect(all.maxAttempts == 5 && all.backoff == .exponential(base: .milliseconds(200), cap: .seconds(4)))
        #expect(all.maxRetryAfter == .zero && all.statuses == [.badGateway, .serviceUnavailable])
        let base = try await RetryPolicy(configReader: memory(["retry.baseDelayMs": 200]))
        #expect(base.backoff == .exponential(base: .milliseconds(200)) && base.maxAttempts == 3)
        let cap = try await RetryPolicy(configReader: memory(["retry.maxDelayMs": 200]))
        #expect(cap.backoff == .exponential(cap: .milliseconds(200)))
    }

    private static let milliseconds = "a whole number of milliseconds from 1 to 2147483647"
    private static let proxyURL = "the URL of a proxy with the scheme http, https, socks5 or socks5h"

    private static let wrongValues = [
        ("timeout.totalMs", "abc", milliseconds),
        ("timeout.totalMs", "", milliseconds),
        ("timeout.attemptMs", "1.5", milliseconds),
        ("timeout.idleMs", "-7", milliseconds),
        ("timeout.connectionMs", "0", milliseconds),
        ("timeout.connectionMs", "5s", milliseconds),
        ("connectionPool.maxAgeMs", "99999999999999999999", milliseconds),
        ("connectionPool.maxConnections", "-1", "a whole number from 0 to 2147483647"),
        ("engines", "0", "a whole number from 1 to 1000"),
        ("limits.headBytes", "0", "a whole number of bytes from 1 to 9223372036854775807"),
        ("redirect.mode", "never", #"one of "follow", "disallow""#),
        ("redirect.maxRedirects", "two", "a whole number from 0 to 2147483647"),
        ("httpVersion", "http2", #"one of "automatic", "http1Only""#),
        ("tls.minimumVersion", "1.1", #"one of "1.2", "1.3""#),
        ("tls.caFile", "", "the path of a PEM file"),
        ("dnsOverrides", "a.example:here", "a list of host:address, such as api.example.com:10.0.0.1"),
        ("dnsOverrides", ":10.0.0.1", "a list of host:address, such as api.example.com:10.0.0.1"),
        ("proxy.mode", "explicit", #"one of "none", "system", "environment""#),
        ("proxy.url", "http://ada:s3cret@", proxyURL),
        ("proxy.url", "ftp://proxy.example", proxyURL),
        ("proxy.bypass", "10.0.0.0/99", "a list of names, addresses and networks, such as example.com and 10.0.0.0/8"),
        ("retry.maxAttempts", "0", "a whole number from 1 to 2147483647"),
        ("retry.baseDelayMs", "-1", milliseconds),
        ("retry.statuses", "503,200", "a list of statuses from 400 to 599"),
        ("retry.statuses", "503,x", "a list of statuses from 400 to 599"),
    ]

    /// Returns the name of the environment variable of a key in the scope `prices`.
    private func variable(_ key: String) -> String {
        "PRICES_" + key.replacing(/[a-z][A-Z]/) { $0.output.prefix(1) + "_" + $0.output.suffix(1) }.uppercased().replacing(".", with: "_")
    }

    @Test("A value that can't be used throws an error with the full key and what is allowed, and without the value", arguments: wrongValues)
    func wrongValue(key: String, value: String, requirement: String) async throws {
        let error = try #require(await error(environment([variable(key): value]).scoped(to: "prices")))
        #expect(error.key == "prices." + key && error.requirement == requirement)
        #expect("\(error)" == "prices.\(key) must be \(requirement)" && String(reflecting: error) == "\(error)")
    }

    @Test("A typed value of another type throws, and so does a base URL that is no URL")
    func otherTypes() async throws {
        #expect(await error(memory(["timeout.totalMs": "3000"]))?.key == "timeout.totalMs")
        #expect(await error(memory(["timeout.totalMs": 1.5]))?.underlying != nil)
        #expect(await error(memory(["httpVersion": true]))?.key == "httpVersion")
        #expect(await error(memory(["a.b.retry.statuses": 503]).scoped(to: "a.b"))?.key == "a.b.retry.statuses")
        for text in ["prices.example", "ftp://a", "https://", "https://ada:s3cret@prices.example", "https://a/#b", "/v1"] {
            let error = await #expect(throws: SettingError.self, "\(text)") {
                try await HTTPClient.baseURL(configReader: environment(["BASE_URL": text]))
            }
            #expect(error?.description == "baseURL must be an http or https URL without a user name, a password and a fragment")
        }
    }

    @Test("A proxy with a URL and a mode throws, and so does one with a password and no URL")
    func contradictions() async {
        let both = await error(environment(["PROXY_URL": "http://proxy.example", "PROXY_MODE": "none"]))
        #expect(both?.description == "proxy.mode must be left out, because proxy.url has a value")
        let neither = await error(environment(["PROXY_PASSWORD": "s3cret", "PROXY_MODE": "system"]))
        #expect(neither?.description == "proxy.url must be \(Self.proxyURL), because other keys of the proxy have values")
    }

    @Test("URL, user name and password of a proxy are secrets in the log of accesses and in errors")
    func secrets() async throws {
        let accesses = Accesses()
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "proxy.url": "http://proxy.example", "proxy.username": "ada", "proxy.password": "s3cret", "httpVersion": "automatic",
        ]
        _ = try await TransportConfiguration(configReader: memory(values, accesses))
        let secret = accesses.all.filter { if case .success(let value?) = $0.result { value.isSecret } else { false } }
        #expect(Set(secret.map(\.metadata.key.description)) == ["proxy.url", "proxy.username", "proxy.password"])
        let error = try #require(await error(memory(["proxy.url": "http://proxy.example", "proxy.password": 7_351])))
        #expect(error.key == "proxy.password" && error.underlying == nil && !String(reflecting: error).contains("7351"))
    }

    @Test("The page's table has each key that is read, and no other")
    func table() async throws {
        let accesses = Accesses(), reader = memory(["baseURL": "https://h"], accesses)
        _ = try await HTTPClient.baseURL(configReader: reader)
        #expect(await error(reader) == nil)
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../../Sources/MartletBridges/MartletBridges.docc")
        let page = folder.standardizedFileURL.appendingPathComponent("SwiftConfiguration.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let keys = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(keys.sorted() == accesses.keys.sorted())
    }
}
#endif
