#if AsyncHTTPClient
import Foundation
import Martlet
import MartletTesting
import Testing

/// The servers that scripts/bridges has started, and the certificates that it has created.
enum RealServers {
    static let names = ProcessInfo.processInfo.environment["MARTLET_SERVERS"]?.split(separator: " ").map(String.init) ?? []

    static func url(_ name: String, _ path: String = "/", scheme: String = "https", host: String = "127.0.0.1") throws -> URL {
        let port = try #require(ProcessInfo.processInfo.environment["MARTLET_\(name)_PORT"])
        return try #require(URL(string: "\(scheme)://\(host):\(port)\(path)"))
    }

    static func path(_ file: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment["MARTLET_CERTIFICATES"]) + "/" + file
    }

    static func data(_ file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(file))) }

    static func text(_ file: String) throws -> String {
        String(decoding: try data(file), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The proxy, which asks for credentials.
    static func proxy(_ credentials: String = "me:s3cret") throws -> ProxySettings {
        .explicit(
            try Proxy(url: #require(URL(string: url("PROXY", scheme: "http").absoluteString.replacing("//", with: "//\(credentials)@")))))
    }
}

/// The result of a request, by which transports are compared.
enum Outcome: Hashable, Sendable, CustomStringConvertible {
    case text(String)
    case failed(HTTPError)

    func hash(into hasher: inout Hasher) { hasher.combine("\(self)") }

    var description: String {
        switch self {
        case .text(let text): text
        case .failed(let error): "\(error)"
        }
    }
}

/// Makes transports of one kind, which trust the authority of the servers.
struct TransportMaker: Sendable {
    let make: @Sendable (TransportConfiguration) -> any Transport

    func callAsFunction(_ change: (inout TransportConfiguration) throws -> Void = { _ in }) throws -> any Transport {
        var configuration = TransportConfiguration()
        configuration.tls.trust = .file(try RealServers.path("ca.pem"))
        try change(&configuration)
        return make(configuration)
    }
}

extension Transport {
    /// Sends a request and returns its body, or its status if that is not 200.
    func outcome(
        _ url: URL, _ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: String? = nil, isStreamed: Bool = false
    ) async -> Outcome {
        var request = HTTPRequest(method: method, url: url, headers: fields, body: body.map { HTTPBody($0) })
        request.context.streamsBody = isStreamed
        do {
            let response = try await send(request)
            let body = try await response.body.collect()
            return .text(response.status == .ok ? String(decoding: body, as: UTF8.self) : "\(response.status.rawValue)")
        } catch { return .failed(error) }
    }
}

/// Requests to real servers, with the outcomes that each transport must have.
struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let server: String
    let expected: [Outcome]
    /// The outcomes over async-http-client, where they differ.
    var deviation: [Outcome]?
    let run: @Sendable (TransportMaker) async throws -> [Outcome]

    init(
        _ description: String, on server: String = "nginx", _ expected: [Outcome], deviation: [Outcome]? = nil,
        _ run: @escaping @Sendable (TransportMaker) async throws -> [Outcome]
    ) {
        testDescription = description
        self.server = server
        self.expected = expected
        self.deviation = deviation
        self.run = run
    }
}

// MARK: - TLS

extension Scenario {
    static let tls = [
        Scenario(
            "An authority as a file or as bytes is trusted, alone or beside the system's; without it the certificate is refused",
            Array(repeating: .text("HTTP/2.0"), count: 4) + [.failed(.invalidSSLCertificate), .failed(.invalidSSLCertificate)]
                + [.failed(.invalidRequest)]
        ) { make in
            let file = try RealServers.path("ca.pem"), bytes = try RealServers.data("ca.pem"),
                stranger = try RealServers.path("stranger.pem")
            let trusts: [TLSSettings.Trust] = [
                .file(file), .certificates(bytes), .systemAndFile(file), .systemAndCertificates(bytes), .system, .file(stranger),
                .certificates(Data("nothing".utf8)),
            ]
            var outcomes: [Outcome] = []
            for trust in trusts {
                outcomes.append(try await make { $0.tls.trust = trust }.outcome(try RealServers.url("HTTPS", "/version")))
            }
            return outcomes
        },
        Scenario(
            "A certificate that is expired or belongs to another host is refused",
            [.failed(.invalidSSLCertificate), .failed(.invalidSSLCertificate)]
        ) { make in [try await make().outcome(try RealServers.url("ELSEWHERE")), try await make().outcome(try RealServers.url("EXPIRED"))]
        },
        Scenario(
            "The certificate is checked against the requested name, even if that name resolves to another address",
            [.text("HTTP/2.0"), .text("never"), .failed(.invalidSSLCertificate)],
            // NIOSSL accepts a certificate for the address of the connection, which the server's is, for every name.
            deviation: [.text("HTTP/2.0"), .text("never"), .text("403")]
        ) { make in
            let transport = try make {
                $0.resolve = ["good.invalid": ["127.0.0.1"], "elsewhere.invalid": ["127.0.0.1"], "bad.invalid": ["127.0.0.1"]]
            }
            return [
                await transport.outcome(try RealServers.url("HTTPS", "/version", host: "good.invalid")),
                await transport.outcome(try RealServers.url("ELSEWHERE", host: "elsewhere.invalid")),
                await transport.outcome(try RealServers.url("HTTPS", host: "bad.invalid")),
            ]
        },
        Scenario(
            "A pinned key is accepted, and another one refused", [.text("HTTP/2.0"), .failed(.invalidSSLCertificate)],
            deviation: [.failed(.engineUnavailable), .failed(.engineUnavailable)]
        ) { make in
            var outcomes: [Outcome] = []
            for pin in ["server.pin", "elsewhere.pin"] {
                let transport = try make { try $0.tls.pinKeys(sha256: [try RealServers.text(pin)]) }
                outcomes.append(await transport.outcome(try RealServers.url("HTTPS", "/version")))
            }
            return outcomes
        },
        Scenario(
            "A client certificate is sent to its host only, as PEM with a plain or encrypted key, or as PKCS #12",
            Array(repeating: .text("CN=client"), count: 3) + Array(repeating: .text("400"), count: 3) + [.failed(.invalidSSLCertificate)],
            // The key is read before anything is sent.
            deviation: Array(repeating: .text("CN=client"), count: 3) + Array(repeating: .text("400"), count: 3)
                + [.failed(.invalidRequest)]
        ) { make in
            let chain = try RealServers.data("client.pem"), locked = try RealServers.data("client-locked.key")
            let plain = ClientCertificate.pem(certificates: chain, key: try RealServers.data("client.key"), password: nil)
            let intruder = ClientCertificate.pem(
                certificates: try RealServers.data("intruder.pem"), key: try RealServers.data("intruder.key"))
            let offers: [(ClientCertificate?, String)] = [
                (plain, "127.0.0.1"), (.pem(certificates: chain, key: locked, password: "open"), "127.0.0.1"),
                (.pkcs12(try RealServers.data("client.p12"), password: "open"), "127.0.0.1"), (nil, ""), (plain, "other.example"),
                (intruder, "127.0.0.1"), (.pem(certificates: chain, key: locked, password: "shut"), "127.0.0.1"),
            ]
            var outcomes: [Outcome] = []
            for (certificate, host) in offers {
                let transport = try make { if let certificate { try $0.tls.offer(certificate, to: [host]) } }
                outcomes.append(await transport.outcome(try RealServers.url("MUTUAL")))
            }
            return outcomes
        },
        Scenario("A server below the minimum version is refused", [.text("TLSv1.2"), .failed(.invalidSSLCertificate)]) { make in
            let strict = try make { $0.tls.minimumVersion = .tls13 }
            return [try await make().outcome(try RealServers.url("TLS12")), await strict.outcome(try RealServers.url("TLS12"))]
        },
    ]
}

// MARK: - HTTP/2

extension Scenario {
    static let http2 = [
        Scenario("HTTP/2 is used over TLS unless it is not allowed", [.text("HTTP/2.0"), .text("HTTP/1.1"), .text("HTTP/1.1")]) { make in
            let old = try make { $0.allowsHTTP2 = false }
            return [
                try await make().outcome(try RealServers.url("HTTPS", "/version")),
                await old.outcome(try RealServers.url("HTTPS", "/version")),
                try await make().outcome(try RealServers.url("HTTP", "/version", scheme: "http")),
            ]
        },
        Scenario("A hundred concurrent requests to a known server share one connection", [.text("100"), .text("1")]) { make in
            let transport = try make { $0.engines = 1 }
            let first = await connections(1, transport), later = await connections(100, transport)
            return [.text("\(later.count)"), .text("\(Set(first + later).count)")]
        },
        Scenario("Requests beyond a connection's stream limit wait, and none is lost", [.text("1000")]) { make in
            let transport = try make { ($0.maxConnectionsPerOrigin, $0.engines) = (2, 1) }
            return [.text("\(await connections(1000, transport).count)")]
        },
        Scenario(
            "An unread stream does not block other streams on its connection", [.text("HTTP/2.0"), .text("52428800")]
        ) { make in
            let transport = try make { ($0.maxConnectionsPerOrigin, $0.engines) = (1, 1) }
            var request = HTTPRequest(url: try RealServers.url("HTTPS", "/50m"))
            request.context.streamsBody = true
            let response = try await transport.send(request)
            var others: Set<Outcome> = []
            for _ in 0..<50 { others.insert(await transport.outcome(try RealServers.url("HTTPS", "/version"))) }
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            return others + [.text("\(count)")]
        },
        Scenario("Cancelled requests leave the connection usable", [.failed(.cancelled), .text("1")]) { make in
            let transport = try make { $0.engines = 1 }
            let before = await connections(1, transport)
            let slow = try RealServers.url("HTTPS", "/slow")
            var cancelled: Set<Outcome> = []
            for _ in 0..<20 {
                let call = Task { await transport.outcome(slow) }
                await Task.yield()
                call.cancel()
                cancelled.insert(await call.value)
            }
            return [cancelled.first ?? .text("none"), .text("\(Set(before + (await connections(1, transport))).count)")]
        },
        Scenario(
            "No POST is processed twice by a server that retires connections after twenty requests",
            [.text("0 failures"), .text("0 twice")]
        ) { make in try await retired(.post, body: "text", over: make) },
    ]

    /// Sends concurrent requests and returns the connection of each that succeeded.
    private static func connections(_ count: Int, _ transport: any Transport) async -> [Outcome] {
        await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do { return await transport.outcome(try RealServers.url("HTTPS", "/connection")) } catch { return .text("\(error)") }
                }
            }
            return await group.reduce(into: []) { if case .text = $1 { $0.append($1) } }
        }
    }

    /// Sends 1,024 numbered requests, 64 at a time, to a server that retires connections, and counts them in its log.
    private static func retired(_ method: HTTPMethod, body: String?, over make: TransportMaker) async throws -> [Outcome] {
        let transport = try make(), url = try RealServers.url("RETIRING", "/posts"), run = UUID().uuidString
        let failures = await withTaskGroup(of: [HTTPError].self) { group in
            for worker in 0..<64 {
                group.addTask {
                    var failures: [HTTPError] = []
                    for number in 0..<16 {
                        let fields: HTTPFields = ["X-Number": "\(run)-\(worker)-\(number)"]
                        if case .failed(let error) = await transport.outcome(url, method, fields, body: body) {
                            failures.append(error)
                        }
                    }
                    return failures
                }
            }
            return await group.reduce([], +)
        }
        var counts: [Substring: Int] = [:]
        for line in try RealServers.text("posts.log").split(separator: "\n") where line.hasPrefix(run) {
            counts[line.prefix { $0 != " " }, default: 0] += 1
        }
        return [
            .text(failures.isEmpty ? "0 failures" : "failures"), .text("\(counts.values.count { $0 > 1 }) twice"),
        ]
    }
}

// MARK: - Exchanges and proxies

extension Scenario {
    static let exchanges = [
        Scenario("A server that closes without a response is a lost connection", [.failed(.connectionLost), .failed(.connectionLost)]) {
            let transport = try $0()
            return [
                await transport.outcome(try RealServers.url("HTTP", "/drop", scheme: "http")),
                await transport.outcome(try RealServers.url("HTTPS", "/drop")),
            ]
        },
        Scenario(
            "Range requests and errors have their status and fields",
            [.text("206"), .text("bytes 1000-1999/1048576"), .text("416"), .text("429"), .text("7")]
        ) { make in
            let transport = try make(), url = try RealServers.url("HTTPS", "/1m")
            let part = try await transport.send(HTTPRequest(url: url, headers: ["Range": "bytes=1000-1999"]))
            let limited = try await transport.send(HTTPRequest(url: RealServers.url("HTTPS", "/limited")))
            return [
                .text("\(part.status.rawValue)"), .text(part.headers["Content-Range"] ?? ""),
                await transport.outcome(url, .get, ["Range": "bytes=99999999-"]), .text("\(limited.status.rawValue)"),
                .text(limited.headers["Retry-After"] ?? ""),
            ]
        },
        Scenario(
            "A body of 50 MB arrives complete, buffered and streamed, over both versions", Array(repeating: .text("complete"), count: 4)
        ) { make in
            let expected = try RealServers.data("www/50m"), transport = try make()
            var outcomes: [Outcome] = []
            for (name, scheme) in [("HTTP", "http"), ("HTTPS", "https")] {
                for isStreamed in [false, true] {
                    var request = HTTPRequest(url: try RealServers.url(name, "/50m", scheme: scheme))
                    request.context.streamsBody = isStreamed
                    outcomes.append(try await transport.send(request).body.collect() == expected ? .text("complete") : .text("changed"))
                }
            }
            return outcomes
        },
        Scenario("A client's total timeout ends a slow response", [.failed(.timeout)]) { make in
            let client = HTTPClient(
                baseURL: try RealServers.url("HTTPS"), transport: try make(), configuration: .init(totalTimeout: .milliseconds(300)))
            return switch await client.result(of: Request<Data>.get("slow")) {
            case .success(let data): [.text("\(data.count) bytes")]
            case .failure(let error): [.failed(error)]
            }
        },
        Scenario("A cancelled download is resumed, and a stored response validated", [.text("206"), .text("complete"), .text("validated")])
        {
            let client = HTTPClient(transport: try $0(), interceptors: [CacheInterceptor(store: MemoryCacheStore())])
            let url = try RealServers.url("HTTPS", "/50m")
            let file = URL(fileURLWithPath: try RealServers.path("50m-\(UUID().uuidString)"))
            defer { try? FileManager.default.removeItem(at: file) }
            for try await event in client.downloadUpdates(.get(url: url), to: file, options: .init(progressInterval: .zero)) {
                if case .progress(let progress) = event, progress.bytes >= 5_000_000 { break }
            }
            let download = try await client.download(.get(url: url), to: file)
            var request = Request<Data>.get(url: try RealServers.url("HTTPS", "/1m"))
            request.headers["Cache-Control"] = "no-cache"
            _ = try await client.send(request)
            let isValidated = try await client.response(for: request).metadata.cacheStatus?.wasValidated == true
            return [
                .text("\(download.response.status.rawValue)"),
                .text(try Data(contentsOf: file) == RealServers.data("www/50m") ? "complete" : "changed"),
                .text(isValidated ? "validated" : "transferred again"),
            ]
        },
        Scenario(
            "A proxy is used for http and, by a tunnel, for https; with wrong credentials nothing is reached", on: "tinyproxy",
            [.text("HTTP/1.1"), .text("HTTP/2.0"), .text("401"), .failed(.proxyFailed), .failed(.proxyFailed)],
            // A tunnel for http too, which the proxy allows to the port of HTTPS only.
            deviation: [.failed(.proxyFailed), .text("HTTP/2.0"), .failed(.proxyFailed), .failed(.proxyFailed), .failed(.proxyFailed)]
        ) { make in
            let right = try make { $0.proxy = try RealServers.proxy() }, wrong = try make { $0.proxy = try RealServers.proxy("me:wrong") }
            return [
                await right.outcome(try RealServers.url("HTTP", "/version", scheme: "http")),
                await right.outcome(try RealServers.url("HTTPS", "/version")),
                await wrong.outcome(try RealServers.url("HTTP", scheme: "http")), await wrong.outcome(try RealServers.url("HTTPS")),
                await right.outcome(try RealServers.url("MUTUAL")),
            ]
        },
    ]
}
#endif
