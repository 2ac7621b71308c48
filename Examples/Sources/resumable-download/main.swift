// A download that the user stops and continues later, over a connection that breaks.
import Foundation
import Martlet

/// Downloads a file until the user stops. Leaving the loop stops the transfer; the bytes received so far stay in a hidden file.
func preview(_ client: HTTPClient, to target: URL, bytes limit: Int64) async throws(HTTPError) {
    for try await event in client.downloadUpdates(.get("song.ogg"), to: target, options: .init(progressInterval: .zero)) {
        guard case .progress(let progress) = event, progress.bytes > limit else { continue }
        print("stopped at \(progress.bytes) of \(progress.total ?? 0) bytes")
        return
    }
}

let server = try await startServer()
let client = HTTPClient(baseURL: server.url)
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let target = folder.appendingPathComponent("song.ogg")

try await preview(client, to: target, bytes: 200_000)
precondition(!FileManager.default.fileExists(atPath: target.path))

// A later call for the same URL and file, even in another process, continues there. If the connection breaks, it requests the rest.
let options = DownloadOptions(backoff: .constant(.milliseconds(100)))
var last: TransferProgress?
let file = try await client.download(.get("song.ogg"), to: target, options: options) { progress in
    print("\(Int((progress.fraction ?? 0) * 100)) %")  // the closure runs where it is written: here, on the main actor
    last = progress
}
print("complete: \(file.bytes) bytes, \(file.resumedBytes) of them from the first call")
print("the connection broke \(file.resumptions) time; the last request was for \(server.requests.last?.headers[.range] ?? "all")")

let bytes = try Data(contentsOf: file.url)
precondition(bytes == song && last?.fraction == 1)
precondition(file.resumedBytes > 200_000 && file.resumptions == 1 && server.requests.count == 3)
try FileManager.default.removeItem(at: folder)
