import Foundation
import MartletMockServer

/// Starts a server that counts the photos in a form.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.post("/albums")) { request, _ in
        let photos = request.body.ranges(of: Data(#"name="photo"; filename="#.utf8)).count
        return .json(#"{"title":"Swifts in May","photos":\#(photos)}"#, status: 201)
    }
    return server
}

/// Writes two files of 150 kB to a new folder.
func makePhotos() throws -> [URL] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("photos-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try ["nest.jpg", "eggs.jpg"].map { name in
        let photo = folder.appendingPathComponent(name)
        try Data(repeating: 0x5A, count: 150_000).write(to: photo)
        return photo
    }
}
