import Foundation
import MartletCache

@testable import SQLiteWriter

/// A process that writes to a store and prints what it has stored.
final class WriterProcess: Sendable {
    private let process: Process
    private let output: FileHandle

    init(_ file: URL, name: String, count: Int = 100_000) throws {
        let pipe = Pipe()
        process = Process()
        process.executableURL = WriterProcess.program
        process.arguments = [file.path, name, "\(count)"]
        process.standardOutput = pipe
        try process.run()
        output = pipe.fileHandleForReading
    }

    deinit { if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) } }

    /// The program, which is built beside the tests.
    private static let program: URL = {
        #if os(Linux)
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #else
        let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("SQLiteWriter")
    }()

    /// Reads `count` bytes of the output, kills the process at an arbitrary moment, and returns all its output.
    func kill(after count: Int) async -> String {
        var said = Data()
        while said.count < count {
            let more = output.availableData
            guard !more.isEmpty else { break }
            said += more
            await Task.yield()
        }
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        return await finish(said)
    }

    /// Reads the output until the process ends.
    func finish(_ before: Data = Data()) async -> String {
        var said = before
        while true {
            let more = output.availableData
            guard !more.isEmpty else { break }
            said += more
            await Task.yield()
        }
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }

    var wasSuccessful: Bool { !process.isRunning && process.terminationReason == .exit && process.terminationStatus == 0 }
}
