/// A port of 127.0.0.1 that refuses every connection: bound, so that nobody else is given it, and not listened on.
package final class RefusingPort: Sendable {
    package let port: Int
    private let socket: Socket

    /// Throws `.networkError(.other)` when the process may not have another socket.
    package init() throws(HTTPError) {
        let socket = try Socket.make(for: .ipv4)
        guard let port = LoopbackAddress(.ipv4).bind(socket.descriptor, backlog: nil) else {
            socket.shut()
            throw .networkError(NetworkFailure(.other, "no port on 127.0.0.1 is free"))
        }
        self.socket = socket
        self.port = Int(port)
    }

    deinit { socket.shut() }
}
