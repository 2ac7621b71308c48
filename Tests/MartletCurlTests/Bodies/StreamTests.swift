import Foundation
import MartletHTTP
import MartletSystem
import Testing

@testable import MartletCurl

@Suite("CurlTransport: streamed responses", .timeLimit(.minutes(5)))
struct StreamTests {
    private let transport = CurlTransport()

    private func request(_ server: RawServer) -> HTTPRequest {
        var request = HTTPRequest(url: server.url())
        request.context.delivery = .streamed
        return request
    }

    @Test("The head is returned before the body arrives")
    func headFirst() async throws {
        let gate = Gate()
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            gate.wait()
            connection.send("abcdef")
        }
        let response = try await transport.send(request(server))
        #expect(response.status == .ok)
        #expect(response.body.length == 6)
        gate.open()
        #expect(try await response.body.collect() == Data("abcdef".utf8))
    }

    @Test("Each chunk is returned when it arrives, without waiting for more")
    func asTheyCome() async throws {
        let gate = Gate()
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            gate.wait()
            connection.send("3\r\ntwo\r\n0\r\n\r\n")
        }
        var chunks = try await transport.send(request(server)).body.makeAsyncIterator()
        #expect(try await chunks.next() == Data("one".utf8))
        gate.open()
        #expect(try await chunks.next() == Data("two".utf8))
        #expect(try await chunks.next() == nil)
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

    @Test("A truncated body returns its bytes and then throws an error")
    func truncated() async throws {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        }
        var chunks = try await transport.send(request(server)).body.makeAsyncIterator()
        #expect(try await chunks.next() == Data("hello".utf8))
        let error = await #expect(throws: HTTPError.networkError(NetworkFailure(.connectionLost))) { try await chunks.next() }
        #expect(error?.stage == .body)
    }

    @Test("Dropping a body closes the connection", arguments: [true, false])
    func dropped(afterReading: Bool) async throws {
        let closed = Gate()
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nhello")
            connection.waitForClose()
            closed.open()
        }
        var response: HTTPResponse<HTTPBody>? = try await transport.send(request(server))
        if afterReading {
            var chunks = response?.body.makeAsyncIterator()
            #expect(try await chunks?.next() == Data("hello".utf8))
        }
        response = nil
        await closed.opened()
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

    @Test("Cancelling the reading task ends the body with a cancellation error")
    func cancelledReader() async throws {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
            connection.waitForClose()
        }
        let response = try await transport.send(request(server))
        let reader = Task { () -> HTTPError? in
            do {
                for try await chunk in response.body { #expect(chunk == Data("hello".utf8)) }
                return nil
            } catch { return error as? HTTPError }
        }
        reader.cancel()
        #expect(await reader.value == .cancelled)
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
