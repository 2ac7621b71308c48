import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletObservation

@Suite("Standard error", .timeLimit(.minutes(5)))
struct StandardErrorTests {
    @Test("A text is written completely and without buffering")
    func writing() throws {
        let pipe = Pipe(), descriptor = pipe.fileHandleForWriting.fileDescriptor
        OrderedWriter { StandardError.writeAll($0, to: descriptor) }.write("INFO #1 ← 200 OK\n")
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("INFO #1 ← 200 OK\n".utf8))
    }

    @Test("Long entries of concurrent threads are written one after the other without interleaving")
    func interleaving() async throws {
        let pipe = Pipe(), reading = pipe.fileHandleForReading, descriptor = pipe.fileHandleForWriting.fileDescriptor
        let (ends, ended) = AsyncStream.makeStream(of: Data?.self)
        let letters = Array("abcdefgh"), (outputs, output) = AsyncStream.makeStream(of: Int.self)
        let writer = OrderedWriter(limit: .max) {
            StandardError.writeAll($0, to: descriptor)
            output.yield($0.count)
        }
        // On separate threads, because they block while the pipe is full.
        for letter in letters {
            Thread.detachNewThread {
                for _ in 0..<10 { writer.write(String(repeating: letter, count: 50_000) + "\n") }
            }
        }
        Thread.detachNewThread { ended.yield(try? reading.readToEnd()) }
        var left = 80 * 50_001
        for await count in outputs {
            left -= count
            if left == 0 { break }
        }
        try pipe.fileHandleForWriting.close()
        var all = Data()
        for await data in ends {
            all = data ?? Data()
            break
        }
        let lines = String(decoding: all, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 80)
        #expect(lines.allSatisfy { $0.count == 50_000 && Set($0).count == 1 })
    }

    @Test("An entry does not wait for a stopped reader, and entries keep their order")
    func stopped() async {
        let output = StoppedOutput()
        let writer = OrderedWriter { output.take($0) }
        await output.stop { writer.write("1\n") }
        for number in 2...4 { writer.write("\(number)\n") }
        #expect(await output.release(until: 8) == "1\n2\n3\n4\n")
    }

    @Test("While the reader has stopped, entries beyond the limit are dropped and replaced by a line with their number")
    func dropped() async {
        let output = StoppedOutput()
        let writer = OrderedWriter(limit: 10) { output.take($0) }
        await output.stop { writer.write("1\n") }
        for entry in ["222222\n", "3333\n", "4444\n", "5\n", "66\n"] { writer.write(entry) }
        let note = { (count: Int) in "WARNING log entries dropped: \(count), because standard error was blocked\n" }
        let expected = "1\n222222\n" + note(2) + "5\n" + note(1)
        #expect(await output.release(until: expected.utf8.count) == expected)
    }

    @Test("A call writes a limited number of batches for others; then a separate thread continues")
    func handover() async {
        let (writes, wrote) = AsyncStream.makeStream(of: Bool.self), (holder, count) = (Locked<OrderedWriter?>(nil), Locked(0))
        let writer = OrderedWriter { _ in
            wrote.yield(Thread.current.threadDictionary["isCaller"] != nil)
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number < 40 { holder.withLock { $0 }?.write("more\n") } else { wrote.finish() }
        }
        holder.withLock { $0 = writer }
        Thread.detachNewThread {
            Thread.current.threadDictionary["isCaller"] = true
            writer.write("first\n")
        }
        var areCallers: [Bool] = []
        for await isCaller in writes { areCallers.append(isCaller) }
        holder.withLock { $0 = nil }
        #expect(areCallers == Array(repeating: true, count: 16) + Array(repeating: false, count: 24))
    }

    @Test("A log that cannot be written does not fail the call")
    func broken() {
        StandardError.writeAll(Array("text".utf8), to: -1)
        StandardError.writeAll([], to: -1)
    }
}

/// An output whose first write waits until it is released.
private final class StoppedOutput: Sendable {
    private let written = Locked<[UInt8]>([])
    private let gate = DispatchSemaphore(value: 0)
    private let (starts, started) = AsyncStream.makeStream(of: Void.self)
    private let (counts, counted) = AsyncStream.makeStream(of: Int.self)

    func take(_ bytes: [UInt8]) {
        if written.withLock({ $0.isEmpty }) {
            started.yield()
            gate.wait()
        }
        counted.yield(
            written.withLock { written in
                written += bytes
                return written.count
            })
    }

    /// Writes on a separate thread. Returns when that write blocks.
    func stop(_ write: @escaping @Sendable () -> Void) async {
        Thread.detachNewThread(write)
        for await _ in starts { break }
    }

    /// Unblocks the output. Returns the written bytes when there are at least `count`.
    func release(until count: Int) async -> String {
        gate.signal()
        for await reached in counts where reached >= count { break }
        return String(decoding: written.withLock { $0 }, as: UTF8.self)
    }
}

@Suite("LogSink", .timeLimit(.minutes(5)))
struct LogSinkTests {
    @Test("Levels are ordered by importance, and details by amount")
    func order() {
        #expect(LogEntry.Level.allCases == LogEntry.Level.allCases.sorted())
        #expect(LogEntry.Level.debug < .error)
        #expect(LogDetail.basic < .headers && LogDetail.headers < .bodies)
    }

    @Test("A sink gets only entries of the levels that it accepts")
    func accepting() async throws {
        let entries = Recorder<LogEntry.Level>()
        let sink = LogSink(accepting: { $0 >= .warning }) { { entries.append($0.level) } }
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: MockTransport(.json("1"), .status(404), .status(500)),
            interceptors: [LoggingInterceptor(to: sink)], observers: [LoggingObserver(to: sink)])
        for _ in 0..<3 { _ = await client.result(of: Request<Int>.get("x")) }
        #expect(entries.values == [.warning, .warning, .error, .error])
    }

    @TaskLocal private static var name = ""

    @Test("What writes the entries of a call is made in the task in which it begins, also for entries of another task")
    func forCall() async throws {
        let lines = Recorder<String>()
        let sink = LogSink(accepting: { _ in true }) {
            let name = Self.name
            return { lines.append("\(name) \($0.level)") }
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: MockTransport(.stream("a"), .json("1")), observers: [LoggingObserver(to: sink)])
        let stream = try await Self.$name.withValue("first") { try await client.stream(Request<Data>.get("x")) }
        try await Self.$name.withValue("second") { _ = try await client.send(Request<Int>.get("x")) }
        _ = try await stream.body.collect()
        #expect(lines.values == ["first debug", "first debug", "second debug", "second info", "first info"])
    }
}
