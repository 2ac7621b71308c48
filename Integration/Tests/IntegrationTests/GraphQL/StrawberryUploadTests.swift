import Foundation
import Martlet
import MartletGraphQL
import Testing

/// Tests uploads with strawberry and python-multipart (GraphQL multipart request specification).
@Suite("Strawberry: uploads", .timeLimit(.minutes(1)))
struct StrawberryUploadTests {
    private struct Report: Decodable, Sendable, Equatable {
        let name: String
        let type: String
        let content: Data

        init(_ name: String, _ type: String, _ content: Data) {
            self.name = name
            self.type = type
            self.content = content
        }
    }

    private let folder: ToolFolder
    private let picture = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    init() throws { folder = try ToolFolder() }

    private func file(_ name: String, _ content: Data) throws -> URL {
        let url = folder.file(name)
        try content.write(to: url)
        return url
    }

    @Test("A file is streamed from disk and arrives unchanged, with its name and type")
    func single() async throws {
        struct ReadFile: GraphQLMutation {
            struct Data: Decodable, Sendable { let readFile: Report }
            static let document: GraphQLDocument =
                "mutation ReadFile($file: Upload!) { readFile(file: $file) { name type content } }"
            let file: GraphQLUpload
        }
        let client = try Strawberry().client()
        let upload = GraphQLUpload(file: try file("nest ü (1).jpg", picture))
        let report = try await client.execute(ReadFile(file: upload)).readFile
        #expect(report == Report("nest ü (1).jpg", "image/jpeg", picture))
        let empty = GraphQLUpload(data: Data(), filename: "empty")
        #expect(try await client.execute(ReadFile(file: empty)).readFile == Report("empty", "application/octet-stream", Data()))
    }

    @Test("Files in a list keep their order")
    func list() async throws {
        let uploads = (0..<5).map { GraphQLUpload(data: Data("file \($0)".utf8), filename: "\($0).txt", contentType: "text/plain") }
        let operation = GraphQLOperation<[String: [Report]]>(
            "mutation ReadFiles($files: [Upload!]!) { readFiles(files: $files) { name type content } }", variables: ["files": uploads])
        let reports = try await Strawberry().client().execute(operation)["readFiles"]
        #expect(reports == (0..<5).map { Report("\($0).txt", "text/plain", Data("file \($0)".utf8)) })
    }

    private struct AlbumData: Decodable, Sendable {
        struct Album: Decodable, Sendable {
            let title: String
            let cover: Report
            let pages: [Report]
        }
        let readAlbum: Album
    }

    private let album: GraphQLDocument = """
        mutation ReadAlbum($album: Album!) {
          readAlbum(album: $album) { title cover { name type content } pages { name type content } }
        }
        """

    @Test("Files in an input object arrive at their paths, even one that is used twice")
    func inputObject() async throws {
        struct Album: Encodable, Sendable {
            let title: String
            let cover: GraphQLUpload
            let pages: [GraphQLUpload]
        }
        let cover = GraphQLUpload(file: try file("cover.png", picture)), page = Data("a page".utf8)
        let input = Album(title: "Birds", cover: cover, pages: [GraphQLUpload(data: page, filename: "page"), cover])
        let operation = GraphQLOperation<AlbumData>(album, variables: ["album": input])
        let read = try await Strawberry().client().execute(operation).readAlbum
        let expected = Report("cover.png", "image/png", picture)
        #expect(read.title == "Birds" && read.cover == expected)
        #expect(read.pages == [Report("page", "application/octet-stream", page), expected])
    }

    @Test("Each operation of a batch receives its own file")
    func batch() async throws {
        let server = try Strawberry()
        let document: GraphQLDocument = "mutation ReadFile($file: Upload!) { readFile(file: $file) { name type content } }"
        let contents = ["one", "two", "three"].map { Data($0.utf8) }
        let operations = contents.enumerated().map { index, content in
            GraphQLOperation<[String: Report]>(
                document, variables: ["file": .upload(GraphQLUpload(data: content, filename: "\(index)", contentType: "text/plain"))])
        }
        let reports = try await server.client().batch(operations).map { try $0.data()["readFile"] }
        #expect(reports == contents.enumerated().map { Report("\($0.offset)", "text/plain", $0.element) })
        #expect(try await server.served().requests == 1)
    }

    @Test("A missing file fails before anything is sent")
    func vanished() async throws {
        let server = try Strawberry()
        let gone = GraphQLUpload(file: folder.file("gone"))
        let operation = GraphQLOperation<[String: Report]>(
            "mutation ReadFile($file: Upload!) { readFile(file: $file) { name } }", variables: ["file": .upload(gone)])
        let error = await #expect(throws: GraphQLError.self) { try await server.client().execute(operation) }
        guard case .http(.invalidRequest)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await server.served().requests == 0)
    }
}
