#if os(Linux)
import Foundation
import Testing

/// Tests `Tests/CTestSetup`, which watches the parent of the test process.
@Suite("A test process whose parent was killed", .timeLimit(.minutes(5)))
struct OrphanTests {
    private static let mark = "MARTLET_ORPHAN"
    /// Whether this process is the orphan, which must not start another one.
    private static let isOrphan = ProcessInfo.processInfo.environment[mark] != nil

    @Test("The test process ends by itself even while a test hangs", .enabled(if: !isOrphan))
    func ends() async throws {
        let shell = Process(), output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        // In the background, so that the shell stays between this process and the test process.
        shell.arguments = ["-c", "\"$0\" --testing-library swift-testing --filter OrphanTests/hangs & wait", CommandLine.arguments[0]]
        shell.environment = ProcessInfo.processInfo.environment.merging([OrphanTests.mark: "1"]) { $1 }
        shell.standardOutput = output
        shell.standardError = output
        try shell.run()
        var lines = Lines(output.fileHandleForReading).makeAsyncIterator()
        while let line = await lines.next(), !line.contains("waiting for ever") {}
        kill(shell.processIdentifier, SIGKILL)
        // The test process holds the other end of the pipe until it has ended.
        var rest: [String] = []
        while let line = await lines.next() { rest.append(line) }
        #expect(rest.contains { $0.hasPrefix("The process that runs these tests has ended") }, "\(rest)")
    }

    @Test("Hangs on purpose, so that the test above can end its process", .enabled(if: isOrphan))
    func hangs() async throws {
        FileHandle.standardError.write(Data("waiting for ever\n".utf8))
        // A real wait: only the watch may end this process, so it cannot wait for an event. If the watch fails, it ends after 30 s.
        try await Task.sleep(for: .seconds(30))
    }

    /// The lines of a pipe, read on a separate thread because reading blocks.
    private struct Lines: AsyncSequence {
        private let stream: AsyncStream<String>

        init(_ handle: FileHandle) {
            let (stream, lines) = AsyncStream.makeStream(of: String.self)
            self.stream = stream
            Thread.detachNewThread {
                var rest = Data()
                while true {
                    let more = handle.availableData
                    rest += more
                    while let end = rest.firstIndex(of: 0x0A) {
                        lines.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = rest[(end + 1)...]
                    }
                    if more.isEmpty { return lines.finish() }
                }
            }
        }

        func makeAsyncIterator() -> AsyncStream<String>.Iterator { stream.makeAsyncIterator() }
    }
}
#endif
