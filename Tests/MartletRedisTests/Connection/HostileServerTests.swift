import Foundation
import MartletRedis
import MartletTesting
import Testing

func failure(_ body: () async throws(CacheStoreError) -> Void) async -> CacheStoreError? {
    do {
        try await body()
        return nil
    } catch { return error }
}

@Suite("Servers that violate the Redis protocol", .timeLimit(.minutes(5)))
struct HostileServerTests {
    private let key = CacheKey(uri: "http://birds.test/")

    @Test(
        "A malformed reply is an error, and the next call uses a new connection",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0", "$99999999999\r\n", "*1000000\r\n", "+OK\n", ":1\r\n:2\r\n:3\r\n",
            "*0\r\n*0\r\n",
            "*0\r\n$3\r\nab", String(repeating: "*1\r\n", count: 5000), "*0\r\n\r\n", "-ERR s3cret\r\nmore\r\n",
        ])
    func broken(answer: String) async throws {
        let server = ScriptedServer { connection in
            while connection.command() != nil {
                connection.send(connection.number == 1 ? answer : "*0\r\n")
            }
        }
        let store = server.store()
        #expect(await failure { () throws(CacheStoreError) in _ = try await store.entries(for: key) }?.kind == .failed)
        #expect(try await store.entries(for: key).isEmpty)
        #expect(server.connections == 2)
    }

    @Test(
        "A reply of an unexpected type is an error, and the connection remains usable",
        arguments: [":1\r\n", "+OK\r\n", "$-1\r\n", "*-1\r\n"])
    func strange(answer: String) async throws {
        let server = ScriptedServer.answering { _ in answer }
        let store = server.store()
        for _ in 0..<3 {
            #expect(await failure { () throws(CacheStoreError) in _ = try await store.entries(for: key) }?.kind == .failed)
        }
        #expect(server.connections == 1)
    }

    @Test("Entries that no store has written are ignored")
    func junk() async throws {
        let head = String(decoding: StoredResponse.sample(key: CacheKey(uri: "other")).encoded, as: UTF8.self)
        let rows = [
            ":1\r\n", "*0\r\n", "*6\r\n" + String(repeating: "$1\r\n0\r\n", count: 6), "*6\r\n" + String(repeating: "$-1\r\n", count: 6),
            "*6\r\n$\(head.utf8.count)\r\n\(head)\r\n$1\r\n0\r\n$0\r\n\r\n$1\r\n0\r\n$1\r\n0\r\n$0\r\n\r\n",
        ]
        let server = ScriptedServer.answering { _ in "*\(rows.count)\r\n" + rows.joined() }
        #expect(try await server.store().entries(for: key).isEmpty)
        #expect(server.connections == 1)
    }

    @Test("A reply without end is an error before it fills the memory")
    func endless() async throws {
        let server = ScriptedServer { connection in
            guard connection.command() != nil else { return }
            let piece = String(repeating: "x", count: 1 << 20)
            // 40 MiB, sent twice, of strings that announce 30 MiB.
            connection.send("*2\r\n$31457280\r\n")
            for _ in 0..<30 { guard connection.send(piece) else { return } }
            connection.send("\r\n$31457280\r\n")
            for _ in 0..<30 { guard connection.send(piece) else { return } }
            connection.waitForClose()
        }
        let error = await failure { () throws(CacheStoreError) in _ = try await server.store().entries(for: key) }
        #expect(error?.kind == .failed)
        #expect(server.connections == 1)
    }

    @Test("Removing all keys ends with an error if the server's iteration over its keys never ends")
    func endlessKeys() async throws {
        let server = ScriptedServer.answering { $0[0] == "DBSIZE" ? ":0\r\n" : "*2\r\n$1\r\n7\r\n*0\r\n" }
        #expect(await failure { () throws(CacheStoreError) in try await server.store().removeAll() }?.kind == .failed)
        #expect(server.connections == 1)
    }

    @Test("A connection that closes before its reply is an error, and the next call uses a new one")
    func closed() async throws {
        let server = ScriptedServer { connection in
            _ = connection.command()
            if connection.number > 1 { connection.send("*0\r\n") }
        }
        let store = server.store()
        #expect(await failure { () throws(CacheStoreError) in _ = try await store.entries(for: key) }?.kind == .unavailable)
        #expect(try await store.entries(for: key).isEmpty)
        #expect(server.connections == 2)
    }

    @Test("An idle connection that the server closes costs no call; one that breaks within a reply does")
    func reused() async throws {
        let server = ScriptedServer { connection in
            _ = connection.command()
            connection.send("*0\r\n")
            guard connection.command() != nil else { return }
            if connection.number == 2 { connection.send("*1\r\n") }
        }
        let store = server.store { $0.connections = 1 }
        _ = try await store.entries(for: key)
        // The server closes the connection on this command, and the command is sent again.
        _ = try await store.entries(for: key)
        #expect(server.connections == 2)
        #expect(await failure { () throws(CacheStoreError) in _ = try await store.entries(for: key) }?.kind == .unavailable)
        #expect(server.connections == 2)
    }

    @Test("A body whose pieces are missing, changed, too few or too many ends with an error, never truncated")
    func pieces() async throws {
        let response = StoredResponse.sample(key: key)
        let head = String(decoding: response.encoded, as: UTF8.self)
        try #require(Data(head.utf8) == response.encoded)
        for (length, count, piece) in [
            (3, 1, "$-1\r\n"), (3, 1, "$7\r\n\0\0\0\0abc\r\n"), (3, 1, "$2\r\nab\r\n"), (3, 1, ":1\r\n"), (3, 1, "$4\r\n\0\0\0\0\r\n"),
        ] {
            let entry = "*6\r\n$\(head.utf8.count)\r\n\(head)\r\n$1\r\n\(length)\r\n$2\r\np:\r\n$1\r\n\(count)\r\n$1\r\n0\r\n$0\r\n\r\n"
            let server = ScriptedServer.answering { $0[0] == "EVAL" ? "*1\r\n\(entry)" : piece }
            let found = try await server.store().entries(for: key)
            let body = try #require(found.first).body
            await #expect(throws: HTTPError.self, "\(piece)") { try await body.collect() }
            #expect(server.connections == 1)
        }
    }
}

extension StoredResponse {
    /// A response whose bytes are also valid text, for scripts of a server.
    static func sample(_ id: String = "one", key: CacheKey) -> StoredResponse {
        StoredResponse(
            id: id, key: key, status: HTTPStatus(rawValue: 100), headers: ["ETag": "\"x\""],
            requestTime: Date(timeIntervalSinceReferenceDate: 0),
            responseTime: Date(timeIntervalSinceReferenceDate: 0))
    }
}
