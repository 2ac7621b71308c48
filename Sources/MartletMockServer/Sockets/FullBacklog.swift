internal import MartletSystem

/// A port of 127.0.0.1 to which nobody can connect and which refuses nobody: whoever tries waits, as with a host that is not there.
///
/// Its listener accepts nothing, and the connections that may wait to be accepted are its own.
package final class FullBacklog: Sendable {
    package let port: Int
    private let sockets: [Socket]

    /// Throws `.networkError(.other)` on a machine on which a listener can't be filled.
    package init() throws(HTTPError) {
        let (listener, port) = try Socket.listener(sendBufferBytes: nil, backlog: 1)
        self.port = Int(port)
        var sockets = [listener]
        do throws(HTTPError) {
            // Connections stand as long as there is room; the first that does not has found the backlog full. Further ones make sure.
            var waiting = 0
            while waiting < 3 {
                guard sockets.count < 300 else { throw .networkError(NetworkFailure(.other, "the listener's backlog has no end")) }
                let client = try Socket.make(for: .ipv4)
                sockets.append(client)
                LoopbackAddress(.ipv4, port: port).connect(client.descriptor)
                if !FullBacklog.stands(client) { waiting += 1 }
            }
        } catch {
            for socket in sockets { socket.shut() }
            throw error
        }
        self.sockets = sockets
    }

    deinit { for socket in sockets { socket.shut() } }

    private static func stands(_ socket: Socket) -> Bool {
        var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 50) == 1
    }
}
