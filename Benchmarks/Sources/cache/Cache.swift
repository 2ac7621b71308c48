import Foundation
import Martlet
import MartletSQLite
import Measuring
import Workloads

/// Measures the cost of a cache hit against the same call without a cache, and the memory that a large body takes. Usage: cache [MIB]
///
/// The server is a transport that responds immediately, so only the client's own cost is measured. Runs with and without a cache
/// alternate, and the medians are reported.
@main
enum Cache {
    static func main() async throws {
        let size = Int64(CommandLine.arguments.dropFirst().first ?? "") ?? 1024
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var verdict = Verdict()
        try await hits(in: folder, &verdict)
        try await manyEntries(&verdict)
        try await largeBody(size << 20, in: folder, &verdict)
        exit(verdict.hasFailed ? 1 : 0)
    }

    private static func hits(in folder: URL, _ verdict: inout Verdict) async throws {
        let plain = HTTPClient(baseURL: Canned.base, transport: Canned())
        let memory = Canned.client(MemoryCacheStore())
        let disk = Canned.client(SQLiteCacheStore(at: folder.appendingPathComponent("hits.sqlite")))
        for client in [memory, disk] { _ = try await client.send(Canned.request(0)) }
        var times: [[Double]] = [[], [], []]
        for _ in 0..<150 {
            for (index, client) in [plain, memory, disk].enumerated() {
                times[index].append(try await perCall(200) { _ in try await client.send(Canned.request(0)) })
            }
        }
        print(
            "a call without a cache: \(text(median(times[0]))); a hit in memory: \(text(median(times[1])));",
            "a hit in SQLite: \(text(median(times[2])))")
        // Differences of adjacent runs, because the speed of the machine varies over time.
        let inMemory = median(zip(times[1], times[0]).map { $0 - $1 }), onDisk = median(zip(times[2], times[0]).map { $0 - $1 })
        verdict.expect(inMemory < 10, "a hit in memory costs \(text(inMemory)) on top (limit 10 µs)")
        verdict.expect(onDisk < 80, "a hit in SQLite costs \(text(onDisk)) on top (limit 80 µs)")
    }

    private static func manyEntries(_ verdict: inout Verdict) async throws {
        let store = MemoryCacheStore(capacity: 512 << 20)
        let client = Canned.client(store)
        var few: [Double] = [], many: [Double] = []
        for id in 0..<1_000 { _ = try await client.send(Canned.request(id)) }
        for _ in 0..<9 { few.append(try await perCall(2_000) { try await client.send(Canned.request($0 % 1_000)) }) }
        let filling = try await perCall(99_000) { try await client.send(Canned.request($0 + 1_000)) }
        // As many targets as before, spread over all entries, so that a difference comes from the store and not from the CPU's cache.
        for _ in 0..<9 { many.append(try await perCall(2_000) { try await client.send(Canned.request($0 % 1_000 * 100)) }) }
        let ratio = median(many) / median(few)
        print("1,000 entries: \(text(median(few))); \(store.count) entries: \(text(median(many))); a miss that is stored: \(text(filling))")
        verdict.expect(store.count == 100_000, "100,000 entries are kept")
        verdict.expect(ratio < 2, "a hit among 100,000 takes \(String(format: "%.2f", ratio)) times one among 1,000 (limit 2)")
    }

    private static func largeBody(_ length: Int64, in folder: URL, _ verdict: inout Verdict) async throws {
        // A body may take up to half of the capacity.
        let store = SQLiteCacheStore(at: folder.appendingPathComponent("large.sqlite"), capacity: length * 3)
        let client = Canned.client(store)
        _ = try await client.send(Canned.request(0))
        let idle = try Memory.resident()
        for (name, isHit) in [("stored", false), ("served", true)] {
            try Memory.forgetPeak()
            let start = ContinuousClock.now
            let response = try await client.stream(Request<Data>.get("large/\(length)"))
            var count: Int64 = 0
            for try await chunk in response.body { count += Int64(chunk.count) }
            let seconds = (ContinuousClock.now - start) / .seconds(1), grown = try Memory.peak() - idle
            print("\(count >> 20) MiB \(name) in \(Int(seconds * 1000)) ms, \(grown) KB above idle at most")
            verdict.expect(count == length && response.metadata.cacheStatus?.isHit == isHit, "the body is whole, and \(name)")
            verdict.expect(grown <= 32 * 1024, "it takes \(grown) KB (limit 32 MiB)")
        }
    }

    private static func perCall(_ count: Int, _ call: (Int) async throws -> Data) async throws -> Double {
        let start = ContinuousClock.now
        for index in 0..<count { _ = try await call(index) }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(count)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func text(_ microseconds: Double) -> String { String(format: "%.1f µs", microseconds) }
}

/// Prints each check and remembers whether one failed.
struct Verdict {
    private(set) var hasFailed = false

    mutating func expect(_ holds: Bool, _ what: String) {
        print("\(holds ? "ok  " : "FAIL") \(what)")
        hasFailed = hasFailed || !holds
    }
}

/// A transport that responds immediately with 1 KB of JSON, as an API sends it, or with as many zeros as the path says.
struct Canned: Transport {
    static let base = URL(string: "https://api.example/v1/")

    static func client(_ store: any CacheStore) -> HTTPClient {
        HTTPClient(baseURL: base, transport: Canned(), interceptors: [CacheInterceptor(store: store)])
    }

    static func request(_ id: Int) -> Request<Data> { .get("birds/\(id)", headers: [.authorization: "Bearer s3cret-t0k3n"]) }

    private static let body = Data(repeating: 0x61, count: 1024)

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var headers: HTTPFields = [
            .date: HTTPDate(Date()).description, .contentType: "application/json", .cacheControl: "max-age=3600", .eTag: "\"v1\"",
            "Server": "canned", .vary: "Accept-Encoding",
        ]
        let segments = request.url.path.split(separator: "/")
        guard segments.dropLast().last == "large", let length = segments.last.flatMap({ Int64($0) }) else {
            headers[.contentLength] = String(Canned.body.count)
            return HTTPResponse(status: .ok, headers: headers, body: HTTPBody(Canned.body))
        }
        headers[.contentLength] = String(length)
        return HTTPResponse(status: .ok, headers: headers, body: HTTPBody(reader: Zeros(count: length), length: length))
    }
}
