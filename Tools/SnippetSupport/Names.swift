// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import Martlet
public import MartletGraphQL
public import MartletKeychain
public import MartletTesting
public import MartletWebSocket

// Names that the code in doc comments and documents uses without declaring them.

public let url = URL(string: "https://api.example")!
public let base = URL(string: "https://api.example")
public let file = URL(fileURLWithPath: "file")
public let folder = URL(fileURLWithPath: "folder")
public let archive = URL(fileURLWithPath: "archive.zip")
public let movie = URL(fileURLWithPath: "movie.mov")
public let client = HTTPClient(baseURL: url)
public let http = client
public let plainClient = client
public let transport = MockTransport()
public let mock = HTTPClientMock()
public let server: MockServer = placeholder()
public let socket: WebSocket = placeholder()
public let graphQL = GraphQLClient(client, path: "graphql")
public let time = ManualTime()
public let page = Data()
public let png = Data()
public let picture = Data()
public let image = Data()
public let data = Data()
public let body = HTTPBody(Data())
public let digest = Data()
nonisolated(unsafe) public var name = "Ada"
public let names = ["Ada"]
public let id = "1"
public let text = "swift"
public let language: String? = nil
public let scope: String? = nil
public let date = "2026-01-01"
public let prompt = ["model": "m"]
public let feed = #"{"items":[]}"#
public let tags = ["a"]
public let response: HTTPResponse<HTTPBody> = placeholder()

/// Stands for the code of an app that uses values.
public func show(_ values: Any?..., isOld: Bool = false) {}
public func report(_ values: Any...) {}
public func track(_ values: Any?...) {}
public func showSignIn() {}
public func showNotFound() {}
public func offerRetry() {}
public func askToUnlock() {}
public func showStaleNotice() {}
public func done() {}

/// Stands for code that a doc comment leaves out.
public func placeholder() {}
public func placeholder<Value>() -> Value { fatalError() }

/// A bar that shows the progress of a transfer.
public struct ProgressBar: Sendable { public func show(_ values: Any?...) {} }
public let bar = ProgressBar()

/// The log of an app.
public struct Logger: Sendable { public func info(_ text: String) {} }
public let logger = Logger()

nonisolated(unsafe) public var request = HTTPRequest(method: .get, url: url)
public let incoming = HTTPRequest(method: .get, url: url)
public let exporter = OTLPExporter(url: url, service: "shop", transport: transport)
public let endpoint = GetUser(id: 1)
nonisolated(unsafe) public var user = ada
nonisolated(unsafe) public var message: String?
nonisolated(unsafe) public var showsRetry = false
nonisolated(unsafe) public var answer = ""
public let ids: [String: String] = [:]
public let recorder: RecordingTransport = placeholder()
public let operation: GraphQLOperation<HeroQuery.Data> = placeholder()
public let heroOperation = HeroQuery(id: "1").operation
public let renameOperation = RenameHero(id: "1", name: "Leia").operation
public let shortLink = url
public let draft = ada

/// How a view describes its connection.
public enum ConnectionStatus { case live, offline(retryIn: Duration) }
nonisolated(unsafe) public var status = ConnectionStatus.live

/// A part of a body, as a stream.
public let chunks = AsyncStream<Data> { $0.finish() }
public let recording = chunks
public func openExport() throws -> AsyncStream<Data> { chunks }

/// The error of a webhook whose signature is wrong.
public struct InvalidSignature: Error { public init() {} }
public let key = Data()
public let signature = ""
public let pinnedKey = "", backupKey = ""
public struct MyTransport: Transport {
    public init() {}
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { throw .cancelled }
}
public func isSessionOver(_ body: HTTPBody) -> Bool { false }
public struct FeatureError: Error {
    public static let notFound = FeatureError(), other = FeatureError()
}
public struct Refusal: Decodable, Sendable { public let reason: String }
public let personFragment: GraphQLFragment = "fragment Person on Character { name }"
public typealias MyCacheStore = MemoryCacheStore
#if !canImport(Security)
// So that the example of the Keychain compiles where it does not exist.
public typealias KeychainTokenStore = SecretServiceTokenStore
#endif
