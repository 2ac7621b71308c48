import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

/// The tus protocol over real sockets.
@Suite(.timeLimit(.minutes(5))) struct ResumableUploadTests {
    /// A tus server that accepts a limited number of bytes of each PATCH before it breaks the connection.
    final class TusServer: Sendable {
        struct State: Sendable {
            var received = Data()
            var length = 0
            var takes: [Int] = []
            var creations = 0
            var isGone = false
        }

        let state = Locked(State())

        func reply(_ request: RecordedRequest) -> MockReply {
            state.withLock { state in
                let headers: HTTPFields = ["Tus-Resumable": "1.0.0"]
                func with(_ name: HTTPFieldName, _ value: String) -> HTTPFields {
                    var fields = headers
                    fields[name] = value
                    return fields
                }
                switch request.method {
                case .post:
                    state.creations += 1
                    state.received = Data()
                    state.isGone = false
                    state.length = Int(request.headers["Upload-Length"] ?? "") ?? -1
                    return .status(201, headers: with(.location, "files/\(state.creations)"))
                case .head:
                    return state.isGone ? .status(404) : .status(200, headers: with("Upload-Offset", "\(state.received.count)"))
                case .patch:
                    if state.isGone { return .status(404) }
                    guard request.headers["Upload-Offset"] == "\(state.received.count)" else { return .status(409) }
                    if !state.takes.isEmpty {
                        state.received += request.body.prefix(state.takes.removeFirst())
                        return .disconnect
                    }
                    state.received += request.body
                    return .status(204, headers: with("Upload-Offset", "\(state.received.count)"))
                default: return .status(405)
                }
            }
        }
    }

    private static let movie = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    private func stage(_ takes: [Int] = []) async throws -> (tus: TusServer, server: MockServer, file: URL, folder: Folder) {
        let tus = TusServer(), folder = try Folder(), file = folder.file("movie")
        tus.state.withLock { $0.takes = takes }
        try Self.movie.write(to: file)
        return (tus, try await MockServer.start { tus.reply($0) }, file, folder)
    }

    private func client(_ server: MockServer) -> HTTPClient {
        HTTPClient(
            baseURL: server.url, transport: PlatformTransport(), configuration: .init(totalTimeout: nil, idleTimeout: nil),
            time: ManualTime())
    }

    @Test("A broken upload resumes at the server's offset and arrives complete")
    func resumes() async throws {
        let (tus, server, file, folder) = try await stage([50_000, 0, 70_000])
        let upload = try await client(server).uploadResumably(
            file, to: .post("files", headers: ["X-Key": "k"]), options: .init(metadata: ["filename": "a.mov"]))
        #expect(tus.state.withLock { $0.received } == Self.movie)
        #expect(upload.bytes == 200_000 && upload.resumptions == 3 && upload.url.path == "/files/1" && upload.resumedBytes == 0)
        let requests = server.requests
        #expect(requests.map(\.method) == [.post, .patch, .head, .patch, .head, .patch, .head, .patch])
        #expect(requests[0].headers["Upload-Metadata"] == "filename YS5tb3Y=" && requests[0].headers["Upload-Length"] == "200000")
        #expect(requests.allSatisfy { $0.headers["Tus-Resumable"] == "1.0.0" && $0.headers["X-Key"] == "k" })
        #expect(requests.last?.headers[.contentType] == "application/offset+octet-stream" && requests.last?.body.count == 80_000)
        withExtendedLifetime(folder) {}
        await server.stop()
    }

    @Test("Any number of failures is allowed while each attempt makes progress")
    func manyCuts() async throws {
        let (tus, server, file, folder) = try await stage(Array(repeating: 10_000, count: 12))
        let upload = try await client(server).uploadResumably(file, to: .post("files"), options: .init(maxFailures: 2))
        #expect(tus.state.withLock { $0.received } == Self.movie && upload.resumptions == 12)
        withExtendedLifetime(folder) {}
        await server.stop()
    }

    @Test("An upload fails if the server loses it after each part, or keeps it locked")
    func losing() async throws {
        let (tus, _, file, folder) = try await stage()
        let server = try await MockServer.start { request in
            if request.method == .head { return .status(423) }
            if request.method == .patch, request.headers["Upload-Offset"] != "0" { return .status(404) }
            return tus.reply(request)
        }
        let error = await failure { () async throws(HTTPError) in
            try await client(server).uploadResumably(file, to: .post("files"), options: .init(chunkBytes: 50_000))
        }
        #expect(error?.status == 404 && tus.state.withLock { $0.creations } == 5)
        let locked = await failure { () async throws(HTTPError) in
            try await client(server).uploadResumably(file, to: .post("files"), options: .init(location: server.url.appending(path: "u")))
        }
        #expect(locked?.status == 423)
        withExtendedLifetime(folder) {}
        await server.stop()
    }

    @Test("A wrapping client without a base URL can upload and download, and an empty file is uploaded")
    func wrapped() async throws {
        struct Wrapper: HTTPClientProtocol {
            let client: HTTPClient
            @concurrent func perform<E: Endpoint, Value: Sendable>(
                _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
            ) async throws(HTTPError) -> HTTPResponse<Value> { try await client.perform(endpoint, options: options, decoding: decoding) }
            @concurrent func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
                try await client.stream(endpoint, options: options)
            }
        }
        let (tus, server, file, folder) = try await stage()
        let wrapper = Wrapper(client: client(server))
        let strict = Request<EmptyResponse>.post("files")
        _ = try await wrapper.uploadResumably(file, to: strict)
        #expect(tus.state.withLock { $0.received } == Self.movie)
        try Data().write(to: file)
        #expect(try await wrapper.uploadResumably(file, to: strict).bytes == 0)
        let files = try await MockServer.start { _ in .text("song") }
        let download = try await Wrapper(client: client(files)).download(.get("x"), to: folder.file("song"))
        #expect(download.bytes == 4)
        await files.stop()
        await server.stop()
    }

    @Test("No request carries more bytes than the limit")
    func chunks() async throws {
        let (tus, server, file, folder) = try await stage()
        let last = Locked<TransferProgress?>(nil)
        _ = try await client(server).uploadResumably(file, to: .post("files"), options: .init(chunkBytes: 90_000, progressInterval: .zero))
        {
            progress in last.withLock { $0 = progress }
        }
        #expect(server.requests.filter { $0.method == .patch }.map(\.body.count) == [90_000, 90_000, 20_000])
        #expect(tus.state.withLock { $0.received } == Self.movie && last.withLock { $0?.bytes } == 200_000)
        withExtendedLifetime(folder) {}
        await server.stop()
    }

    @Test("A later call resumes the upload at the reported location, and sends no bytes if the upload is complete")
    func later() async throws {
        let (tus, server, file, folder) = try await stage([50_000])
        let location = Locked<URL?>(nil)
        await #expect(throws: HTTPError.self) {
            try await client(server).uploadResumably(
                file, to: .post("files"), options: .init(maxFailures: 1, onCreated: { url in location.withLock { $0 = url } }))
        }
        let url = try #require(location.withLock { $0 })
        let upload = try await client(server).uploadResumably(file, to: .post("files"), options: .init(location: url))
        #expect(
            upload.resumedBytes == 50_000 && tus.state.withLock { $0.received } == Self.movie && tus.state.withLock { $0.creations } == 1)
        let again = try await client(server).uploadResumably(file, to: .post("files"), options: .init(location: url))
        #expect(again.resumedBytes == 200_000 && server.requests.last?.method == .head)
        withExtendedLifetime(folder) {}
        await server.stop()
    }

    @Test("An upload that the server has lost is restarted, unless the caller named its location")
    func gone() async throws {
        let (tus, server, file, folder) = try await stage([50_000])
        let lost = Locked(false)
        let upload = try await client(server).uploadResumably(file, to: .post("files"), options: .init(progressInterval: .zero)) {
            progress in
            guard progress.bytes > 0, !lost.withLock({ $0 }) else { return }
            lost.withLock { $0 = true }
            tus.state.withLock { $0.isGone = true }
        }
        #expect(upload.url.path == "/files/2" && tus.state.withLock { $0.received } == Self.movie)
        tus.state.withLock { $0.isGone = true }
        let options = ResumableUploadOptions(location: upload.url)
        await #expect(throws: HTTPError.self) { try await client(server).uploadResumably(file, to: .post("files"), options: options) }
        #expect(tus.state.withLock { $0.creations } == 2)
        withExtendedLifetime(folder) {}
        await server.stop()
    }

    @Test("Credentials are not sent to an upload at another origin, and invalid responses are refused")
    func hostile() async throws {
        let (tus, elsewhere, file, folder) = try await stage()
        tus.state.withLock { $0.length = 200_000 }
        let server = try await MockServer.start { _ in .status(201, headers: [.location: elsewhere.url.absoluteString + "files/9"]) }
        _ = try await client(server).uploadResumably(
            file, to: .post("files", headers: [.authorization: "Bearer s3cret", "X-Vault-Token": "s3cret"]))
        #expect(elsewhere.requests.map(\.method) == [.patch] && elsewhere.requests.allSatisfy { !$0.headers.contains(.authorization) })
        #expect(elsewhere.requests.allSatisfy { !$0.headers.contains("X-Vault-Token") })
        #expect(server.requests.allSatisfy { $0.headers.contains(.authorization) })

        for location in ["ftp://a.example/x", "http://u:p@127.0.0.1/x", "", nil] {
            let bad = try await MockServer.start { _ in .status(201, headers: location.map { [.location: $0] } ?? [:]) }
            let error = await failure { () async throws(HTTPError) in try await client(bad).uploadResumably(file, to: .post("files")) }
            #expect(error.map { if case .invalidResponse = $0 { true } else { false } } == true && error?.attempts == 1)
            #expect(bad.requests.count == 1)
            await bad.stop()
        }
        for offset in ["0", "200001", "x"] {
            let bad = try await MockServer.start { request in
                request.method == .post
                    ? .status(201, headers: [.location: "/u"]) : .status(204, headers: ["Upload-Offset": offset])
            }
            let error = await failure { () async throws(HTTPError) in try await client(bad).uploadResumably(file, to: .post("files")) }
            #expect(error.map { if case .invalidResponse = $0 { true } else { false } } == true, "\(offset)")
            await bad.stop()
        }
        withExtendedLifetime(folder) {}
        await elsewhere.stop()
        await server.stop()
    }

    private func failure(_ body: () async throws(HTTPError) -> TransferredFile) async -> HTTPError? {
        do throws(HTTPError) { _ = try await body() } catch { return error }
        return nil
    }
}
