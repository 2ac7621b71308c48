import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: streamed responses", .timeLimit(.minutes(5)))
struct StreamTests {
    private let transport = CurlTransport()

    private func request(_ server: RawServer) -> HTTPRequest {
        var request = HTTPRequest(url: server.url())
        request.context.streamsBody = true
        return request
    }

    @Test("A sender is stopped while its bytes are not read, and continues when they are")
    func backpressure() async throws {
        let total = 64 * 1024 * 1024
        let taken = Locked<Int?>(nil)
        let blocked = Gate()
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            let first = connection.sendUntilBlocked(limit: total)
            taken.withLock { $0 = first }
            blocked.open()
            connection.send(Data(count: total - first))
        }
        var configuration = CurlTransport.Configuration()
        configuration.streamBufferSize = 64 * 1024
        let response = try await CurlTransport(configuration).send(request(server))
        await blocked.opened()
        // The rest is what the two socket buffers of the kernel hold.
        #expect(try #require(taken.withLock { $0 }) < total / 2)
        var count = 0
        for try await chunk in response.body {
            #expect(chunk.count <= 128 * 1024)
            count += chunk.count
        }
        #expect(count == total)
    }

    @Test("Dropping a reader that was taken out of its body closes the connection")
    func droppedReader() async throws {
        let closed = Gate()
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            connection.waitForClose()
            closed.open()
        }
        do {
            guard case .stream(let stream) = try await transport.send(request(server)).body.storage else { return }
            _ = stream.releaseReader()
        }
        await closed.opened()
    }

    @Test("The reader's error matches what cancelled the body")
    func cancelledByOthers() async throws {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            connection.waitForClose()
        }
        let body = try await transport.send(request(server)).body
        guard case .stream(let stream) = body.storage else {
            Issue.record("not a stream")
            return
        }
        let reader = stream.releaseReader()
        async let waiting = Result { () async throws(HTTPError) -> Data? in try await reader.next() }
        reader.cancel(.timeout)
        #expect(await waiting == .failure(.timeout))
        await #expect(throws: HTTPError.timeout) { try await reader.next() }
    }
}

extension Result {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
