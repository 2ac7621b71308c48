// Two photos and a title in one form (multipart), with progress. The files are read while they are sent.
import Foundation
import Martlet

struct Album: Decodable {
    let title: String
    let photos: Int
}

let server = try await startServer()
let client = HTTPClient(baseURL: server.url)
let photos = try makePhotos()

let request = Request<Album>.post(
    "albums", body: .multipart([.text("title", "Swifts in May")] + photos.map { .file("photo", $0, contentType: "image/jpeg") }))
var percent = 0
let album = try await client.upload(request, progressInterval: .zero) { progress in
    percent = Int((progress.fraction ?? 0) * 100)  // the closure runs where it is written: here, on the main actor
    print("\(percent) %, \(progress.bytes) of \(progress.total ?? 0) bytes")
}
print("the album “\(album.title)” has \(album.photos) photos")

precondition(album.photos == 2 && percent == 100)
try FileManager.default.removeItem(at: photos[0].deletingLastPathComponent())
