import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

/// Downloads over real sockets to real files.
@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
    /// Bytes without two equal blocks.
    static let song = Data(
        (0..<64 * 1024).flatMap { (block: UInt32) -> [UInt8] in
            let word = block &* 2_654_435_761
            return [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word >> 16), 7]
        })

    private func client(_ server: RangeServer, time: any TimeSource = ManualTime()) -> HTTPClient {
        HTTPClient(
            baseURL: server.server.url, transport: PlatformTransport(), configuration: .init(totalTimeout: nil, idleTimeout: nil),
            time: time)
    }

    private func failure(_ body: () async throws(HTTPError) -> TransferredFile) async throws -> HTTPError {
        do throws(HTTPError) { _ = try await body() } catch { return error }
        throw Ended()
    }

    private struct Ended: Error {}

    @Test("A download produces the complete file without leftovers, and reports its progress")
    func whole() async throws {
        let server = try await RangeServer.start(Self.song), folder = try Folder()
        let seen = Locked<[TransferProgress]>([])
        let file = try await client(server).download(.get("song"), to: folder.file("song.ogg"), options: .init(progressInterval: .zero)) {
            progress in seen.withLock { $0.append(progress) }
        }
        #expect(try Data(contentsOf: file.url) == Self.song && file.bytes == Int64(Self.song.count) && file.resumptions == 0)
        #expect(folder.names == ["song.ogg"])
        let progress = seen.withLock { $0 }
        #expect(
            progress.first?.bytes == 0 && progress.last == TransferProgress(bytes: file.bytes, total: file.bytes, rate: progress.last?.rate)
        )
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
        #expect(server.server.requests.first?.headers[.acceptEncoding] == "identity")
        await server.server.stop()
    }

    @Test("A download that breaks off ten times produces the identical file, with each byte sent once (RFC 9110 §14.2)")
    func cutTenTimes() async throws {
        let server = try await RangeServer.start(Self.song) { $0.cuts = Array(repeating: 20_000, count: 10) }
        let folder = try Folder(), time = ManualTime()
        let file = try await client(server, time: time).download(.get("song"), to: folder.file("song.ogg"))
        #expect(try Data(contentsOf: file.url) == Self.song)
        #expect(file.resumptions == 10 && time.sleeps.count == 10)
        #expect(server.ranges == ["none"] + (1...10).map { "bytes=\($0 * 20_000)-" })
        #expect(server.server.requests.dropFirst().allSatisfy { $0.headers[.ifRange] == "\"v1\"" })
        #expect(folder.names == ["song.ogg"])
        await server.server.stop()
    }

    @Test("If the resource changes between two parts, the file is the new version and never a mixture (RFC 9110 §13.1.5)")
    func changed() async throws {
        let server = try await RangeServer.start(Self.song) { $0.cuts = [50_000] }
        let folder = try Folder(), other = Data(Self.song.reversed())
        let client = client(server)
        let file = try await client.download(.get("song"), to: folder.file("song.ogg"), options: .init(progressInterval: .zero)) {
            progress in
            if progress.bytes > 0 {
                server.change {
                    $0.content = other
                    $0.tag = "\"v2\""
                }
            }
        }
        #expect(try Data(contentsOf: file.url) == other)
        #expect(server.ranges == ["none", "bytes=50000-"])
        await server.server.stop()
    }

    @Test("Without a strong validator the file starts over", arguments: [nil, "W/\"v1\""])
    func weak(tag: String?) async throws {
        let server = try await RangeServer.start(Self.song) {
            $0.tag = tag
            $0.cuts = [50_000, 60_000]
        }
        let folder = try Folder()
        let file = try await client(server).download(.get("song"), to: folder.file("song.ogg"))
        #expect(try Data(contentsOf: file.url) == Self.song)
        #expect(server.ranges == ["none", "none", "none"])
        await server.server.stop()
    }

    @Test("A server that ignores ranges sends the whole again, and the file is correct")
    func ignored() async throws {
        let server = try await RangeServer.start(Self.song) {
            $0.understandsRanges = false
            $0.cuts = [50_000]
        }
        let folder = try Folder()
        let file = try await client(server).download(.get("song"), to: folder.file("song.ogg"))
        #expect(try Data(contentsOf: file.url) == Self.song)
        await server.server.stop()
    }

    @Test("A later call resumes the failed one, and a call for another URL starts over")
    func acrossCalls() async throws {
        let server = try await RangeServer.start(Self.song) { $0.cuts = [50_000] }
        let folder = try Folder(), client = client(server), target = folder.file("song.ogg")
        let options = DownloadOptions(maxFailures: 1)
        let error = try await failure { () async throws(HTTPError) in try await client.download(.get("song"), to: target, options: options)
        }
        #expect(error.stage == .body && error.request?.url.path == "/song")
        #expect(folder.names == [".song.ogg.part", ".song.ogg.part-info"])
        let file = try await client.download(.get("song"), to: target)
        #expect(file.resumedBytes == 50_000 && folder.names == ["song.ogg"])
        #expect(try Data(contentsOf: target) == Self.song)

        server.change { $0.cuts = [50_000] }
        _ = try await failure { () async throws(HTTPError) in try await client.download(.get("song"), to: target, options: options) }
        #expect(try Data(contentsOf: target) == Self.song, "the file of before stays until the new one is there")
        let other = try await client.download(.get("other"), to: target)
        #expect(other.resumedBytes == 0 && server.ranges.last == "none")
        await server.server.stop()
    }

    @Test("With resumption only within the call, a failure leaves no files; with one failure at most, the first one ends the download")
    func leavesNothing() async throws {
        let server = try await RangeServer.start(Self.song) { $0.cuts = [50_000, 0, 0, 50_000] }
        let folder = try Folder(), client = client(server), target = folder.file("song.ogg")
        _ = try await failure { () async throws(HTTPError) in
            try await client.download(.get("song"), to: target, options: .init(resumesAcrossCalls: false, maxFailures: 3))
        }
        #expect(folder.names.isEmpty && server.ranges == ["none", "bytes=50000-", "bytes=50000-"])
        _ = try await failure { () async throws(HTTPError) in
            try await client.download(.get("song"), to: target, options: .init(resumesAcrossCalls: false, maxFailures: 1))
        }
        #expect(folder.names.isEmpty && server.ranges.count == 4)
        await server.server.stop()
    }

    @Test("After the start of a download, a busy server is retried when it asks; before the start, its status is thrown")
    func busy() async throws {
        let server = try await RangeServer.start(Self.song) { $0.refusals = [503] }
        let folder = try Folder(), time = ManualTime(), client = client(server, time: time)
        let error = try await failure { () async throws(HTTPError) in try await client.download(.get("song"), to: folder.file("a")) }
        #expect(error.status == 503 && time.sleeps.isEmpty && folder.names.isEmpty)
        server.change { $0.cuts = [10] }
        let file = try await client.download(.get("song"), to: folder.file("a"), options: .init(progressInterval: .zero)) { progress in
            if progress.bytes == 10 { server.change { $0.refusals = [503] } }
        }
        #expect(file.resumptions == 2 && server.ranges.last == "bytes=10-")
        await server.server.stop()
    }

    @Test("A complete file is not requested again: a 416 at its end completes the download (RFC 9110 §15.5.17)")
    func nothingMissing() async throws {
        let server = try await RangeServer.start(Self.song) { $0.cuts = [Self.song.count - 1] }
        let folder = try Folder(), client = client(server), target = folder.file("song.ogg")
        _ = try await failure { () async throws(HTTPError) in
            try await client.download(.get("song"), to: target, options: .init(maxFailures: 1))
        }
        // Simulates another program that wrote the last byte.
        let part = folder.file(".song.ogg.part")
        try Self.song.write(to: part)
        let file = try await client.download(.get("song"), to: target)
        #expect(file.bytes == Int64(Self.song.count) && file.response.status == 416)
        #expect(try Data(contentsOf: target) == Self.song)
        await server.server.stop()
    }

    @Test("The digest promised by the first response is checked although the later responses omit it (RFC 9530 §3)")
    func promisedAtFirst() async throws {
        let digest = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
        let server = try await RangeServer.start(Self.song) {
            $0.cuts = [50_000]
            $0.headers = ["Repr-Digest": digest]
        }
        let folder = try Folder(), client = client(server)
        let error = try await failure { () async throws(HTTPError) in
            try await client.download(.get("song"), to: folder.file("song.ogg"), options: .init(progressInterval: .zero)) { progress in
                if progress.bytes > 0 { server.change { $0.headers = [:] } }
            }
        }
        guard case .integrityFailed = error else { throw Ended() }
        #expect(folder.names.isEmpty && server.ranges == ["none", "bytes=50000-"])
        await server.server.stop()
    }
}
