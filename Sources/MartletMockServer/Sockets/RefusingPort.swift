internal import MartletSystem

/// A port of 127.0.0.1 that refuses every connection: bound, so that no other process uses it, and not listened on.
package final class RefusingPort: Sendable {
    package let port: Int
    private let socket: StreamSocket

    /// Throws `.networkError(.other)` if the process can't have another socket.
    package init() throws(HTTPError) {
        do throws(SystemFailure) { socket = try StreamSocket(boundTo: .loopback()) } catch { throw HTTPError(serverCannot: error) }
        port = socket.port
    }

    deinit { socket.shut() }
}
