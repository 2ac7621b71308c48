import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("nginx: downloads")
struct NginxDownloadTests {
    private func client() throws -> HTTPClient { HTTPClient(transport: try Servers.transport()) }

    private func file(_ name: String) throws -> URL {
        URL(fileURLWithPath: try Servers.path("\(name)-\(UUID().uuidString)"))
    }

    /// Returns the digest that `sha256sum` has computed.
    private func checksum(_ name: String) throws -> ContentDigest {
        let lines = try Servers.text("www/sums").split(separator: "\n")
        return .sha256(String(try #require(lines.first { $0.hasSuffix(" " + name) }).prefix(64)))
    }

    /// Downloads a file and cancels after `count` bytes.
    private func cancelled(_ url: URL, to file: URL, at count: Int64) async throws {
        for try await event in try client().downloadUpdates(.get(url: url), to: file, options: .init(progressInterval: .zero)) {
            if case .progress(let progress) = event, progress.bytes >= count { break }
        }
    }

    @Test("A downloaded file has the checksum of sha256sum")
    func checked() async throws {
        let file = try file("1m")
        defer { try? FileManager.default.removeItem(at: file) }
        let download = try await client().download(
            .get(url: try Servers.url("HTTP", "/1m", scheme: "http")), to: file, options: .init(checksum: checksum("1m")))
        #expect(download.bytes == 1_048_576)
    }

    @Test("An interrupted and resumed download of 50 MB equals the file", arguments: ["http", "https"])
    func resumed(scheme: String) async throws {
        let url = try Servers.url(scheme.uppercased(), "/50m", scheme: scheme), file = try file("50m")
        defer { try? FileManager.default.removeItem(at: file) }
        try await cancelled(url, to: file, at: 5_000_000)
        let download = try await client().download(.get(url: url), to: file)
        #expect(download.resumedBytes >= 5_000_000 && download.response.status == .partialContent)
        #expect(download.bytes == 52_428_800)
        // Comparing the bytes is faster than computing a digest in a debug build.
        #expect(try Data(contentsOf: file) == Servers.data("www/50m"))
    }

    @Test("A file that has changed since the interruption is downloaded from the start")
    func changed() async throws {
        let name = "changing-\(UUID().uuidString)", path = try Servers.path("www/\(name)")
        let old = Data(repeating: 1, count: 20_000_000), new = Data(repeating: 2, count: 15_000_000)
        try old.write(to: URL(fileURLWithPath: path))
        let url = try Servers.url("HTTP", "/\(name)", scheme: "http"), file = try file(name)
        defer {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(atPath: path)
        }
        try await cancelled(url, to: file, at: 1_000_000)
        try new.write(to: URL(fileURLWithPath: path))
        let download = try await client().download(.get(url: url), to: file)
        #expect(download.resumedBytes == 0 && download.response.status == .ok)
        #expect(try Data(contentsOf: file) == new)
    }
}
