import Foundation
import Martlet
import Testing

/// A program that scripts/integration has installed. A variable contains its path.
final class Tool {
    private let process = Process()
    private let output = Pipe()

    /// Starts a program with no signals blocked. A child inherits the signal mask of its thread, and the pool's threads block most signals.
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

    /// Terminates the program and waits until it has exited.
    func end() async throws {
        process.terminate()
        for _ in 0..<500 where process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        #expect(!process.isRunning, "the program has not exited 10 s after SIGTERM")
    }

    /// Runs a program until it exits and returns its output.
    static func run(_ variable: String, _ arguments: [String]) async throws -> Data {
        let tool = try Tool(variable, arguments)
        let data = tool.output.fileHandleForReading.readDataToEndOfFile()
        tool.process.waitUntilExit()
        #expect(tool.process.terminationStatus == 0)
        return data
    }

    /// Waits until a proxy that was just started forwards a request.
    static func waitUntilAnswering(_ transport: some Transport, _ url: URL) async throws {
        for _ in 0..<200 {
            if let response = try? await transport.send(HTTPRequest(url: url)), response.status == .ok { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("the proxy does not forward requests after 20 s")
    }
}

/// A temporary folder for one test. It is removed on deinit.
final class ToolFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
