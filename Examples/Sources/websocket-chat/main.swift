// A chat over WebSocket: typed messages, and a connection that breaks and is opened again without losing a post.
import Foundation
import Martlet
import MartletWebSocket

struct Post: Codable, Sendable {
    let id: Int
    let author: String
    let text: String
}

struct Draft: Codable, Sendable {
    let text: String
}

/// The first message of each connection: who joins the room, and the last post that has arrived.
struct Join: Codable, Sendable {
    let name: String
    let after: Int
}

/// The posts that have arrived.
actor Transcript {
    private(set) var posts: [Post] = []
    var last: Int { posts.last?.id ?? 0 }

    func add(_ post: Post) { posts.append(post) }
}

let server = try await startServer()
let client = HTTPClient(baseURL: server.url, interceptors: [AuthInterceptor(AccessToken("t0ken"))])

// The handshake is a call of the client: without the token it is refused, with the server's response.
do {
    _ = try await HTTPClient(baseURL: server.url).webSocket(.get("rooms/7"))
    preconditionFailure("the room is public")
} catch {
    print("without a token: \(error.status?.description ?? "no response")")
    precondition(error.status == .unauthorized)
}

// Each connection asks for the posts that are missing.
let transcript = Transcript()
let rules = WebSocketReconnection(delay: .milliseconds(50))
let room = client.reconnectingWebSocket(.get("rooms/7"), protocols: ["chat.v1"], rules: rules) { socket in
    try await WebSocketChannel<Post, Join>(socket).send(Join(name: "Wren", after: await transcript.last))
}

var chat: WebSocketChannel<Post, Draft>?
var losses = 0
for try await signal in room.signals {
    switch signal {
    case .open(let socket):
        print("(joined, speaking \(socket.subprotocol ?? "no subprotocol"))")
        chat = WebSocketChannel(socket)
    case .message(.text(let text)):
        let post = try JSONBodyDecoder.json.decode(Post.self, from: Data(text.utf8))
        print("\(post.author): \(post.text)")
        await transcript.add(post)
        if post.id == 3 { try await chat?.send(Draft(text: "I was away")) }
    case .reconnecting(let wait, let error):
        print(
            "(\(error?.closure == nil ? "connection lost" : "closed"), next attempt in \(wait.formatted(.units(allowed: [.milliseconds]))))"
        )
        losses += 1
    default: break
    }
}

// The server closed the connection normally, so the loop ended.
let ids = await transcript.posts.map(\.id)
precondition(ids == [1, 2, 3, 4] && losses == 1, "no post is lost or repeated: \(ids)")
precondition(server.webSockets.allSatisfy(\.failures.isEmpty), "\(server.webSockets.map(\.failures))")
await server.stop()
