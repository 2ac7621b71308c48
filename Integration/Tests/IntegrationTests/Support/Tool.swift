import Foundation
import Martlet
import Testing

/// A program that scripts/integration has installed, and says in a variable where.
final class Tool {
    private let process = Process()
    private let output = Pipe()

    /// A process starts with the signals blocked that are blocked in the thread that starts it, and those of the pool block most.
    private static let unblocking =
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"

    init(_ variable: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: try Tool.path("MARTLET_PYTHON"))
        process.arguments = ["-c", Tool.unblocking, try Tool.path(variable)] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    private static func path(_ variable: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment[variable], "run these tests by scripts/integration")
    }

    /// Ends it, and waits until it has written what it has.
    func end() async throws {
        process.terminate()
        for _ in 0..<500 where process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        #expect(!process.isRunning, "it has not ended after 10 s")
    }

    /// Runs it to its end and gives what it has written.
    static func run(_ variable: String, _ arguments: [String]) async throws -> Data {
        let tool = try Tool(variable, arguments)
        let data = tool.output.fileHandleForReading.readDataToEndOfFile()
        tool.process.waitUntilExit()
        #expect(tool.process.terminationStatus == 0)
        return data
    }

    /// Waits until a proxy that has just been started lets a request through.
    static func waitUntilAnswering(_ transport: some Transport, _ url: URL) async throws {
        for _ in 0..<200 {
            if let response = try? await transport.send(HTTPRequest(url: url)), response.status == .ok { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("the proxy does not answer after 20 s")
    }
}

/// A folder of a test's own that goes with it.
final class ToolFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
