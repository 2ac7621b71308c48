import Foundation
import MartletHTTP
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

/// The server's side of an upgraded connection, with and without TLS.
struct UpgradeServer {
    /// One connection, as the server's script uses it.
    struct Peer {
        let connection: RawServer.Connection
        let secure: SecureConnection?

        func send(_ bytes: Data) { if let secure { secure.send(bytes) } else { connection.send(bytes) } }
        func read() -> Data? { secure == nil ? connection.readSome() : secure?.read() }

        /// Reads up to the empty line after the request's head.
        func head() -> String? {
            var all = Data()
            while !all.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard let bytes = read() else { return nil }
                all += bytes
            }
            return String(decoding: all, as: UTF8.self)
        }

        /// Reads so many bytes and returns whether they are as ``UpgradeServer/pattern(_:)``.
        func expects(_ count: Int) -> Bool {
            let wanted = UpgradeServer.pattern(count)
            var position = 0
            while position < count {
                guard let bytes = read(), bytes.count <= count - position, wanted[position..<position + bytes.count] == bytes else {
                    return false
                }
                position += bytes.count
            }
            return true
        }
    }

    static let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n"

    private static let block = Data((0..<100_003).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) })

    /// Bytes that are not the same at a wrong place.
    static func pattern(_ count: Int) -> Data {
        var all = Data(capacity: count + block.count)
        while all.count < count { all.append(block) }
        return all.prefix(count)
    }

    static func make(isSecure: Bool = false, _ serve: @escaping @Sendable (Peer) -> Void) -> RawServer {
        RawServer { connection in
            let secure = isSecure ? SecureConnection(connection) : nil
            guard !isSecure || secure != nil else { return }
            serve(Peer(connection: connection, secure: secure))
        }
    }

    /// Upgrades each connection and sends back what it receives.
    static func echo(isSecure: Bool = false) -> RawServer {
        make(isSecure: isSecure) { peer in
            guard peer.head() != nil else { return }
            peer.send(Data(switching.utf8))
            while let bytes = peer.read() { peer.send(bytes) }
        }
    }

    static func url(_ server: RawServer, isSecure: Bool = false, _ path: String = "/chat?room=1#part") -> URL {
        URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(server.port)\(path)")!
    }
}

extension CurlTransport {
    /// The certificate of the servers, as a file, because versions before 7.77 accept no bytes.
    private static let authority: String = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString).pem").path
        _ = FileManager.default.createFile(atPath: path, contents: MockServer.TLS.localhost.certificate)
        return path
    }()

    static func trusting(_ change: (inout Configuration) -> Void = { _ in }) -> CurlTransport {
        var configuration = Configuration()
        configuration.tls.trust = .file(authority)
        change(&configuration)
        return CurlTransport(configuration)
    }

    /// Sends a request for an upgrade.
    func upgrade(
        _ url: URL, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> (response: HTTPResponse<HTTPBody>, connection: (any ByteConnection)?) {
        let upgrade = ConnectionUpgrade()
        var request = HTTPRequest(url: url, headers: ["Connection": "Upgrade", "Upgrade": "echo"])
        request.context.upgrade = upgrade
        change(&request)
        let response = try await send(request)
        guard case .bytes(let connection) = upgrade.take() else { return (response, nil) }
        return (response, connection)
    }

    /// Sends a request for an upgrade that succeeds.
    func connect(_ url: URL) async throws -> any ByteConnection {
        let (response, connection) = try await upgrade(url)
        #expect(response.status.rawValue == 101)
        return try #require(connection)
    }

    var upgradedCount: Int { engine.state.withLock { $0.engine?.upgradedCount } ?? 0 }
}

extension ByteConnection {
    /// Reads so many bytes.
    func read(_ count: Int) async throws -> Data {
        var all = Data()
        while all.count < count, let bytes = try await read() { all += bytes }
        return all
    }
}
