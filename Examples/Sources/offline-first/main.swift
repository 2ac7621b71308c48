// Offline first: the stored response is shown immediately, then the server's. Without a connection, the stored response is used.
import Foundation
import Martlet
import MartletSQLite

struct Bird: Decodable, Equatable {
    let name: String
}

struct ListBirds: Endpoint {
    typealias Response = [Bird]
    var path: Path { "birds" }
}

let server = try await startServer()
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offline-first-\(UUID().uuidString)")  // an app: its caches
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

/// Returns the client of one launch of the app. The cache on disk is shared by all launches.
func launch() -> HTTPClient {
    let store = SQLiteCacheStore(at: folder.appendingPathComponent("birds.sqlite"))
    let aMonth = CacheSettings(staleIfError: .seconds(30 * 86_400))
    return HTTPClient(baseURL: server.url, interceptors: [CacheInterceptor(store: store, settings: aMonth)])
}

let first = try await launch().response(for: ListBirds())
print("first launch: \(first.body.map(\.name)), \(first.metadata.cacheStatus.map { "\($0)" } ?? "")")

// The next launch shows the stored list immediately, and the server's when it arrives.
var shown: [[Bird]] = []
for try await birds in launch().values(ListBirds(), options: CallOptions(cachePolicy: .cacheAndNetwork)) {
    print("next launch shows \(birds.map(\.name))")
    shown.append(birds)
}

// Without a connection the call returns the stored response, marked as stale, instead of an error.
await server.stop()
let offline = try await launch().response(for: ListBirds())
let isStale = offline.metadata.cacheStatus?.isStale == true
print("offline: \(offline.body.map(\.name)), stale: \(isStale)")

precondition(first.body.count == 1 && shown.map(\.count) == [1, 2])
precondition(offline.body.count == 2 && isStale)
try FileManager.default.removeItem(at: folder)
