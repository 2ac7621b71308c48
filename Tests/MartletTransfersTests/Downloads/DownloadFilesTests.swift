import Dispatch
import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletHTTP
@testable import MartletTransfers

/// A file system that does not respond occupies lanes, and no thread that runs tasks.
@Suite(.timeLimit(.minutes(5))) struct DownloadFilesTests {
    /// A call of the file system that hangs.
    enum HangingCall: CaseIterable { case open, write, sync, rename }

    /// Stops calls until it is released.
    final class Hang: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let expected: Int
        private let state = Locked((arrived: 0, timedOut: 0))
        private let all = OneShot<Void>()

        init(expected: Int) { self.expected = expected }

        /// The number of calls that were not released.
        var timedOut: Int { state.withLock { $0.timedOut } }

        func stop() {
            let count = state.withLock { state in
                state.arrived += 1
                return state.arrived
            }
            if count == expected { all.set(()) }
            if gate.wait(timeout: .now() + 20) == .timedOut { state.withLock { $0.timedOut += 1 } }
        }

        func untilAllHang() async { await all.value() }

        func release() { for _ in 0..<expected { gate.signal() } }

        /// Returns the system's calls, of which the first of one kind hangs.
        func calls(_ call: HangingCall) -> FileCalls {
            var calls = FileCalls()
            let isFirst = Locked(true)
            let stop = { @Sendable in
                let mustStop = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if mustStop { self.stop() }
            }
            switch call {
            case .open:
                calls.open = { [open = calls.open] in
                    stop(); return open($0, $1, $2)
                }
            case .write:
                calls.write = { [write = calls.write] in
                    stop(); return write($0, $1, $2, $3)
                }
            case .sync:
                calls.sync = { [sync = calls.sync] in
                    stop(); return sync($0)
                }
            case .rename:
                calls.rename = { [rename = calls.rename] in
                    stop(); return rename($0, $1)
                }
            }
            return calls
        }
    }

    private func download(
        _ name: String, in folder: Folder, _ files: (lanes: FileLanes, calls: FileCalls), options: DownloadOptions = DownloadOptions(),
        timeout: Duration? = nil, time: any TimeSource = ManualTime(), chunks: [String] = ["a song"]
    ) throws -> Downloading {
        let request = HTTPRequest(url: try #require(URL(string: "https://a.example/\(name)")))
        let place = try DownloadDestination(file: folder.file(name), key: PartialDownload.key(of: request))
        return Downloading(
            request: request, files: DownloadFiles(place, lanes: files.lanes, calls: files.calls), options: options, timeout: timeout,
            time: time, random: SystemRandom(), reporter: ProgressReporter(interval: .zero, time: time) { _ in }
        ) { _ in
            let rest = Locked(chunks[...])
            let body = HTTPBody(length: Int64(chunks.joined().utf8.count), next: { rest.withLock { $0.popFirst() }.map { Data($0.utf8) } })
            return HTTPResponse(status: 200, headers: [.eTag: "\"v\""], body: body)
        }
    }

    @Test("While as many downloads hang as tasks have threads, and more, other tasks run", arguments: HangingCall.allCases)
    func threads(call: HangingCall) async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount * 2
        let hang = Hang(expected: count), lanes = FileLanes(limit: count), folder = try Folder()
        let downloads = try (0..<count).map { number in
            let download = try download("\(number)", in: folder, (lanes, hang.calls(call)), options: DownloadOptions(syncsToDisk: true))
            return Task { () async throws(HTTPError) in try await download.run() }
        }
        await Task {
            await hang.untilAllHang()
            hang.release()
        }.value
        for download in downloads { #expect(try await download.value.bytes == 6) }
        #expect(hang.timedOut == 0 && folder.names == (0..<count).map(String.init).sorted())
    }

    @Test(
        "A cancelled download does not wait for its file system, and leaves no file that no call can use",
        arguments: [(HangingCall.open, true), (.write, true), (.write, false)])
    func cancelled(call: HangingCall, resumesAcrossCalls: Bool) async throws {
        let hang = Hang(expected: 1), lanes = FileLanes(limit: 1), folder = try Folder(), time = ManualTime()
        // The first write is that of the record, if there is one, and otherwise that of the bytes.
        let options = DownloadOptions(resumesAcrossCalls: resumesAcrossCalls)
        let download = try download("song", in: folder, (lanes, hang.calls(call)), options: options, time: time)
        let task = Task { () async throws(HTTPError) in try await download.run() }
        await hang.untilAllHang()
        task.cancel()
        // The download waits a second for the file system.
        try await time.waitForTimers()
        time.advance(by: .seconds(1))
        guard case .failure(let error) = await task.result else { Issue.record("it ended"); return }
        #expect(error as? HTTPError == .cancelled && hang.timedOut == 0)
        hang.release()
        // The only lane is free when the download's work has ended.
        try await lanes.run { () throws(HTTPError) in }
        #expect(folder.names.isEmpty)
    }

    @Test("A file that is not opened within the call's timeout fails the download")
    func opening() async throws {
        let hang = Hang(expected: 1), lanes = FileLanes(limit: 1), folder = try Folder(), time = ManualTime()
        let download = try download("song", in: folder, (lanes, hang.calls(.open)), timeout: .seconds(5), time: time)
        let task = Task { () async throws(HTTPError) in try await download.run() }
        await hang.untilAllHang()
        try await time.waitForTimers()
        time.advance(by: .seconds(5))
        try await time.waitForTimers()
        time.advance(by: .seconds(1))
        guard case .failure(let error) = await task.result, case .timeout? = error as? HTTPError else { Issue.record("no timeout"); return }
        hang.release()
        try await lanes.run { () throws(HTTPError) in }
        #expect(hang.timedOut == 0 && folder.names.isEmpty)
    }

    @Test("A download waits for a lane, and is refused when no lane responds for 5 seconds")
    func refused() async throws {
        let time = ManualTime(), lanes = FileLanes(limit: 1, time: time), folder = try Folder(), hang = Hang(expected: 1)
        let hung = try download("a", in: folder, (lanes, hang.calls(.open)))
        let first = Task { () async throws(HTTPError) in try await hung.run() }
        await hang.untilAllHang()
        time.advance(by: FileLanes.patience)
        let other = try download("b", in: folder, (lanes, FileCalls()), time: SystemTime())
        let error = await #expect(throws: HTTPError.self) { try await other.run() }
        guard case .fileFailed(let failure)? = error else { Issue.record("\(String(describing: error))"); return }
        #expect(failure.explanation.contains("have not responded") && failure.path.hasSuffix(".b.part"))
        hang.release()
        #expect(try await first.value.bytes == 6)
    }
}
