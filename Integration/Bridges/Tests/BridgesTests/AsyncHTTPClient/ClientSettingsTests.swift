#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import MartletTesting
import NIOSSL
import Testing

@testable import MartletBridges

@Suite("ClientSettings", .timeLimit(.minutes(5)))
struct ClientSettingsTests {
    private func settings(_ change: (inout TransportConfiguration) throws -> Void = { _ in }) throws -> ClientSettings {
        var wanted = TransportConfiguration()
        try change(&wanted)
        return try ClientSettings(wanted)
    }

    private func failure(_ change: @escaping (inout TransportConfiguration) throws -> Void) -> HTTPError? {
        let error = #expect(throws: HTTPError.self) { try settings(change) }
        return error
    }

    @Test("A client of the transport's own neither follows redirects, nor decodes, nor connects twice, nor traces")
    func habits() throws {
        let configuration = try settings().configuration
        #expect("\(configuration.redirectConfiguration)".contains("disallow"))
        #expect("\(configuration.decompression)".contains("disabled"))
        #expect(!configuration.connectionPool.retryConnectionEstablishment && configuration.tracing.tracer == nil)
        #expect(configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit == 64)
        #expect(configuration.timeout.connect == .seconds(30) && configuration.timeout.read == nil)
    }

    @Test("The configuration of a client of the app can be read")
    func foundConfiguration() async throws {
        let client = AsyncHTTPClient::HTTPClient(configuration: .init(timeout: .init(connect: .seconds(7))))
        #expect(client.knownConfiguration?.timeout.connect == .seconds(7))
        #expect(AsyncHTTPClient::HTTPClient.shared.knownConfiguration != nil)
        try await client.shutdown()
    }

    @Test("Settings of connections and versions are those of async-http-client")
    func connections() throws {
        let configuration = try settings {
            $0.allowsHTTP2 = false
            $0.connectTimeout = .milliseconds(1500)
            $0.maxIdleTime = .seconds(7)
            $0.maxConnectionsPerOrigin = 3
            $0.resolve = ["A.example": ["10.0.0.1"]]
        }.configuration
        #expect(configuration.httpVersion == .http1Only && configuration.timeout.connect == .milliseconds(1500))
        #expect(configuration.connectionPool.idleTimeout == .seconds(7))
        #expect(configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit == 3)
        #expect(configuration.dnsOverride == ["a.example": "10.0.0.1"])
    }

    @Test("A setting that can't be followed is an error before anything is sent")
    func unsupported() {
        let pin = Data(count: 32).base64EncodedString()
        #expect(failure { try $0.tls.pinKeys(sha256: [pin]) } == .engineUnavailable)
        #expect(failure { $0.resolve = ["a.example": ["10.0.0.1", "10.0.0.2"]] } == .engineUnavailable)
        #expect(failure { $0.resolve = ["a.example": ["b.example"]] } == .engineUnavailable)
        #expect(failure { $0.unixSocket = "" } == .invalidRequest)
        #expect(failure { $0.tls.trust = .file("/missing.pem") } == .invalidRequest)
        #expect(failure { $0.tls.trust = .systemAndCertificates(Data("no PEM".utf8)) } == .invalidRequest)
        #expect(
            failure { try $0.tls.offer(.pkcs12(Data("x".utf8), password: "p"), to: ["*"]) } == .invalidRequest)
    }

    @Test("Proxies are used with their credentials; those that async-http-client can't use are errors")
    func proxies() throws {
        let settings = try settings()
        func proxy(_ url: String) throws -> AsyncHTTPClient::HTTPClient.Configuration.Proxy? {
            try settings.configuration(through: Proxy(url: #require(URL(string: url)))).proxy
        }
        #expect(try proxy("http://p.example:3128") == .server(host: "p.example", port: 3128))
        #expect(
            try proxy("http://u:s@p.example:3128")
                == .server(host: "p.example", port: 3128, authorization: .basic(username: "u", password: "s")))
        #expect(try proxy("socks5h://p.example") == .socksServer(host: "p.example", port: 1080))
        for url in ["https://p.example", "socks5://p.example", "socks5h://u:s@p.example"] {
            let error = #expect(throws: HTTPError.self) { try proxy(url) }
            #expect(error == .engineUnavailable && !"\(error!)".contains("u:s"), "\(url)")
        }
    }
}
#endif
