import Foundation
import Martlet
import Measuring
import Workloads

/// Sends and fetches large bodies and fails if the process grows by more than a limit meanwhile.
///
/// Usage: bodies DOWNLOAD-URL UPLOAD-URL FILE [LIMIT-MIB]
@main
enum Bodies {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 3, let source = URL(string: arguments[0]), let sink = URL(string: arguments[1]) else {
            print("usage: bodies DOWNLOAD-URL UPLOAD-URL FILE [LIMIT-MIB]")
            exit(64)
        }
        let file = URL(fileURLWithPath: arguments[2]), limit = arguments.count > 3 ? Int(arguments[3]) ?? 32 : 32
        let length = (try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64) ?? 0
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bodies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = HTTPClient(configuration: .init(totalTimeout: .seconds(600)))
        // The memory that the first call loads and caches must not count for the bodies.
        _ = try await client.send(Request<Data>.put(url: sink, body: .data(Data(count: 1000))))
        var runs = Runs(idle: try Memory.resident(), limit: limit * 1024, length: length)

        try await runs.measure("stream, read and let go of") {
            var count: Int64 = 0
            for try await chunk in try await client.stream(Request<Data>.get(url: source)).body { count += Int64(chunk.count) }
            return count
        }
        try await runs.measure("download to a file") {
            try await client.download(.get(url: source), to: folder.appendingPathComponent("down")).bytes
        }
        try await runs.measure("upload of a file") { try await client.send(Request<Int64>.put(url: sink, body: .file(file))) }
        try await runs.measure("upload of a stream of unknown length") {
            let body = HTTPBody { () throws(HTTPError) in Zeros(count: length) }
            return try await client.send(Request<Int64>.put(url: sink, body: .stream(body)))
        }
        try await runs.measure("upload of a form with the file, progress told") {
            let request = Request<Int64>.post(url: sink, body: .multipart([.text("title", "big"), .file("file", file)]))
            let framing = (try request.httpRequest().body?.length ?? 0) - length
            return try await client.upload(request) { _ in } - framing
        }
        exit(runs.haveFailed ? 1 : 0)
    }
}

/// Measures by how much the process grows in each run.
struct Runs {
    let idle: Int
    let limit: Int
    let length: Int64
    private(set) var haveFailed = false

    init(idle: Int, limit: Int, length: Int64) {
        self.idle = idle
        self.limit = limit
        self.length = length
        print("idle: \(idle) KB resident; bodies of \(length >> 20) MiB")
    }

    mutating func measure(_ name: String, _ run: @Sendable () async throws -> Int64) async throws {
        try Memory.forgetPeak()
        let start = ContinuousClock.now
        let count = try await run()
        let seconds = (ContinuousClock.now - start) / .seconds(1), grown = try Memory.peak() - idle
        let isRight = count == length && grown <= limit
        haveFailed = haveFailed || !isRight
        print("\(isRight ? "ok  " : "FAIL") \(name): \(count >> 20) MiB in \(Int(seconds * 1000)) ms, \(grown) KB above idle at most")
    }
}
