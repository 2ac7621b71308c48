import Martlet
import MartletEssentials
import MartletGraphQL
import MartletSystem
import MartletTesting
import Testing

@Suite("Uploads by the GraphQL multipart request specification", .timeLimit(.minutes(5)))
struct GraphQLUploadTests {
    private struct Read: Decodable, Sendable { var ok: Bool }

    /// The contents of a form.
    private struct Form {
        var names: [String] = []
        var parts: [String: (headers: HTTPFields, content: String)] = [:]

        init(_ request: HTTPRequest) async throws {
            let response = HTTPResponse(status: 200, headers: request.headers, body: HTTPBody(request.body?.buffered ?? Data()))
            for try await part in response.parts() {
                let content = try await part.body.collect(upTo: 1_000_000)
                let name = part.name ?? ""
                names.append(name)
                parts[name] = (part.headers, String(decoding: content, as: UTF8.self))
            }
        }
    }

    private static let text = "mutation Up($file: Upload, $files: [Upload!], $album: Album) { ok }"

    private func send<D>(
        _ operation: GraphQLOperation<D>, configuration: GraphQLClient.Configuration = .init(), options: GraphQLCallOptions = .init()
    ) async throws -> HTTPRequest {
        let transport = MockTransport(.json(#"{"data":{"ok":true}}"#))
        _ = try await Wire.client(transport, configuration: configuration).response(for: operation, options: options)
        return try #require(transport.requests.first)
    }

    private func operation(_ variables: [String: GraphQLVariable]) -> GraphQLOperation<Read> {
        GraphQLOperation("mutation Up($file: Upload, $files: [Upload!], $album: Album) { ok }", variables: variables)
    }

    private func file(_ name: String) -> GraphQLUpload {
        GraphQLUpload(data: Data("<\(name)>".utf8), filename: name, contentType: "text/plain")
    }

    @Test("An upload is sent as operations, map and file, with null in its place")
    func single() async throws {
        let request = try await send(operation(["file": .upload(file("a.txt"))]))
        let form = try await Form(request)
        #expect(form.names == ["operations", "map", "0"])
        let operations = try JSONValue(parsing: Data((form.parts["operations"]?.content ?? "").utf8))
        #expect(operations["query"]?.stringValue == Self.text && operations["operationName"] == "Up")
        #expect(operations["variables"] == ["file": nil])
        #expect(form.parts["map"]?.content == #"{"0":["variables.file"]}"#)
        #expect(form.parts["0"]?.content == "<a.txt>" && form.parts["0"]?.headers[.contentType] == "text/plain")
        #expect(form.parts["operations"]?.headers[.contentType] == nil && form.parts["map"]?.headers[.contentType] == nil)
        #expect(form.parts["0"]?.headers["Content-Disposition"]?.contains(#"filename="a.txt""#) == true)
        #expect(request.headers["Apollo-Require-Preflight"] == "true" && request.method == .post)
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test("Files in lists and input objects are ordered by path, and a file used several times is sent once")
    func many() async throws {
        let cover = file("cover"), files = (0..<11).map { file("\($0)") }
        let request = try await send(
            operation([
                "files": .list(files.map { .upload($0) }), "file": .upload(cover),
                "album": ["pages": [.upload(cover), nil, .upload(files[3])]],
            ]))
        let form = try await Form(request)
        #expect(form.names == ["operations", "map"] + (0..<12).map { "\($0)" })
        let map = try JSONValue(parsing: Data((form.parts["map"]?.content ?? "").utf8))
        #expect(map["0"] == ["variables.album.pages.0", "variables.file"] && form.parts["0"]?.content == "<cover>")
        #expect(map["1"] == ["variables.album.pages.2", "variables.files.3"] && form.parts["1"]?.content == "<3>")
        #expect(map["11"] == ["variables.files.10"] && form.parts["11"]?.content == "<10>")
        let operations = try JSONValue(parsing: Data((form.parts["operations"]?.content ?? "").utf8))
        #expect(operations["variables"]?["album"] == ["pages": [nil, nil, nil]])
    }

    @Test("An upload that is replaced by another value is not sent")
    func replaced() async throws {
        struct Up: Encodable, Sendable { var file: GraphQLUpload, files: [GraphQLUpload] }
        let operation = GraphQLOperation<Read>(
            "mutation Up($file: Upload, $files: [Upload!], $album: Album) { ok }", variablesOf: Up(file: file("a"), files: [file("b")]))
        let form = try await Form(try await send(operation.setting("file", to: .upload(file("c"))).setting("files", to: .list([]))))
        #expect(form.parts["map"]?.content == #"{"0":["variables.file"]}"# && form.parts["0"]?.content == "<c>")
        let nothing = try await send(operation.setting("file", to: nil).setting("files", to: nil))
        #expect(nothing.json?["variables"] == ["file": nil, "files": nil])
    }

    @Test("Uploads are found in the properties of an operation type and of a value")
    func properties() async throws {
        struct Album: Encodable, Sendable { var title: String, pages: [GraphQLUpload], index: [String: GraphQLUpload] }
        struct Up: GraphQLMutation {
            struct Data: Decodable, Sendable { var ok: Bool }
            static let document: GraphQLDocument = "mutation Up($file: Upload, $album: Album) { ok }"
            var file: GraphQLUpload?
            var album: Album
        }
        let album = Album(title: "T", pages: [file("p")], index: ["007": file("seven")])
        let form = try await Form(try await send(Up(file: file("f"), album: album).operation))
        let map = try JSONValue(parsing: Data((form.parts["map"]?.content ?? "").utf8))
        #expect(map == ["0": ["variables.album.index.007"], "1": ["variables.album.pages.0"], "2": ["variables.file"]])
        let other = try await Form(try await send(operation(["album": GraphQLVariable(album)])))
        #expect(other.parts["map"]?.content == #"{"0":["variables.album.index.007"],"1":["variables.album.pages.0"]}"#)
        let left = try await send(Up(file: nil, album: Album(title: "T", pages: [], index: [:])).operation)
        #expect(left.headers[.contentType] == "application/json")
    }

    @Test("A file is read while it is sent, and its length is known in advance")
    func fromDisk() async throws {
        let url = URL(fileURLWithPath: "\(FileManager.default.temporaryDirectory.path)/martlet-upload-\(SystemRandom().uuid()).txt")
        try Data(repeating: 0x61, count: 300_000).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let server = try await MockServer.start { _ in .json(#"{"data":{"ok":true}}"#) }
        let client = GraphQLClient(HTTPClient(baseURL: server.url))
        let seen = Locked<[TransferProgress]>([])
        let options = GraphQLCallOptions(uploadProgress: { progress in seen.withLock { $0.append(progress) } })
        _ = try await client.execute(operation(["file": .upload(GraphQLUpload(file: url))]), options: options)
        let request = try #require(server.requests.first)
        let length = try #require(request.headers[.contentLength].flatMap(Int.init))
        #expect(length > 300_000 && length == request.body.count)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.contains("Content-Type: text/plain\r\n") && body.contains(#"filename="\#(url.lastPathComponent)""#))
        let progress = seen.withLock { $0 }
        #expect(progress.last?.bytes == Int64(length) && progress.last?.fraction == 1)
    }

    @Test("Progress on the main actor is shown there, and completely before the operation returns")
    @MainActor func progressOnTheMainActor() async throws {
        let server = try await MockServer.start { _ in .json(#"{"data":{"ok":true}}"#) }
        let client = GraphQLClient(HTTPClient(baseURL: server.url))
        let bar = Bar()
        let upload = GraphQLUpload(data: Data(repeating: 0x61, count: 300_000), filename: "a.txt")
        let options = GraphQLCallOptions(uploadProgress: { bar.show($0.fraction) })
        _ = try await client.execute(operation(["file": .upload(upload)]), options: options)
        #expect(bar.shown == 1)
    }

    @Test("A missing file is an invalid request before anything is sent")
    func vanished() async throws {
        let transport = MockTransport(.json("{}"))
        let upload = GraphQLUpload(file: URL(fileURLWithPath: "/nowhere/martlet.txt"))
        let error = await #expect(throws: GraphQLError.self) {
            try await Wire.client(transport).execute(operation(["file": .upload(upload)]))
        }
        guard case .http(.invalidRequest)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A file that disappears after the request was created is an error with its name, and the request is cut off")
    func vanishedMeanwhile() async throws {
        struct Removing: Interceptor {
            let file: URL
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                try FileManager.default.removeItem(at: file)
                return try await next(request)
            }
        }
        let url = URL(fileURLWithPath: "\(FileManager.default.temporaryDirectory.path)/martlet-upload-\(SystemRandom().uuid()).txt")
        try Data(repeating: 0x61, count: 300_000).write(to: url)
        let server = try await MockServer.start { _ in .json(#"{"data":{"ok":true}}"#) }
        let client = GraphQLClient(HTTPClient(baseURL: server.url, interceptors: [Removing(file: url)]))
        let error = await #expect(throws: GraphQLError.self) {
            try await client.execute(operation(["file": .upload(GraphQLUpload(file: url))]))
        }
        #expect(error?.httpError != nil && error?.description.contains(url.lastPathComponent) == true, "\(String(describing: error))")
        #expect(server.requests.isEmpty)
    }

    @Test("An encoder that converts keys is an error before anything is sent")
    func keyStrategy() async throws {
        let transport = MockTransport(.json("{}"))
        let client = Wire.client(transport, configuration: .init(encoder: .snakeCase))
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(operation(["file": .upload(file("a"))])) }
        guard case .invalidOperation? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("An upload below a key with a dot is an error, because its path would be ambiguous")
    func ambiguousPlace() async throws {
        let error = await #expect(throws: GraphQLError.self) { try await send(operation(["album": ["a.b": .upload(file("a"))]])) }
        guard case .invalidOperation? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A query with an upload uses POST even if GET is configured")
    func queryWithUpload() async throws {
        let query = GraphQLOperation<Read>("query ($file: Upload) { ok(file: $file) }", variables: ["file": .upload(file("a"))])
        let request = try await send(query, configuration: .init(sendsQueriesByGET: true))
        #expect(request.method == .post)
    }

    @Test("Equal uploads have equal bodies except for the boundary, in any order of the variables")
    func stability() async throws {
        let uploads = (0..<6).map { file("\($0)") }
        let names = ["c", "a", "b", "f", "e", "d"]
        let variables = Dictionary(uniqueKeysWithValues: zip(names, uploads.map { GraphQLVariable.upload($0) }))
        let form = try await Form(try await send(operation(variables)))
        let first = names.sorted().enumerated().map { #""\#($0.offset)":["variables.\#($0.element)"]"# }
        #expect(form.parts["map"]?.content == "{\(first.joined(separator: ","))}")
    }
}

@MainActor private final class Bar {
    private(set) var shown: Double?

    func show(_ fraction: Double?) { shown = fraction }
}
