import Foundation
import MartletMockServer

let song = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

/// Starts a slow server that sends a file or the rest of it and breaks the second connection.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/song.ogg"), faults: .inOrder(nil, .drop(atByte: 300_000))) { request, _ in
        guard let range = request.headers[.range], request.headers[.ifRange] == "\"v1\"",
            let start = Int(range.dropFirst("bytes=".count).dropLast())
        else { return slowly(song, 200, ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]) }
        return slowly(
            song[start...], 206, ["ETag": "\"v1\"", "Content-Range": "bytes \(start)-\(song.count - 1)/\(song.count)"])
    }
    return server
}

/// Returns a slow reply, in pieces of 50 kB.
private func slowly(_ data: Data, _ status: HTTPStatus, _ headers: HTTPFields) -> MockReply {
    var reply = MockReply.data(data, contentType: "audio/ogg", status: status, headers: headers)
    reply.headers[.contentLength] = "\(data.count)"
    return reply.chunked(50_000).piecesDelayed(by: .milliseconds(25))
}
