import Foundation
import Glibc
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

/// Tests the effects of an engine on its process.
@Suite("CurlEngine: its thread and descriptors", .timeLimit(.minutes(5)))
struct EngineProcessTests {
    /// The open descriptors that a program run by this process would inherit.
    static func inheritable() throws -> Set<Int32> {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return Set(
            names.compactMap { Int32($0) }.filter { descriptor in
                let flags = fcntl(descriptor, F_GETFD)
                return flags >= 0 && flags & FD_CLOEXEC == 0
            })
    }

    @Test("While requests run, descriptors of the transport, of a body's file and of the mock server are not inheritable")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let before = try EngineProcessTests.inheritable()
            let server = try await MockServer.start { request in
                request.method == .get ? .data(Data(count: 8 << 20)) : .status(204)
            }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
            try Data(count: 4096).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let transport = CurlTransport()
            _ = try await transport.send(HTTPRequest(method: .post, url: server.url, body: HTTPBody(file: file)))
            // The response is not read, so that its connection stays open at both ends.
            var request = HTTPRequest(url: server.url)
            request.context.streamsBody = true
            let response = try await transport.send(request)
            let during = try EngineProcessTests.inheritable()
            print("inheritable:", during.subtracting(before).sorted())
            _ = consume response
            exit(during.subtracting(before).isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("The engine's thread blocks SIGPIPE and does not block fault signals")
    func signals() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(url: server.url()))
        // On the engine's own thread: those of other tests have all signals blocked while they begin or end.
        let status = try await withTaskExecutorPreference(transport.taskExecutor) {
            try await EngineProcessTests.statusOfThread()
        }
        #expect(status.hasPrefix("Name:\tmartlet.curl\n"))
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
        let mask = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
        func blocks(_ signal: Int32) -> Bool { mask & 1 << UInt64(signal - 1) != 0 }
        #expect([SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGABRT].allSatisfy { !blocks($0) })
        #expect(blocks(SIGPIPE) && blocks(SIGTERM))
    }

    private nonisolated(nonsending) static func statusOfThread() async throws -> String {
        try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    }
}
