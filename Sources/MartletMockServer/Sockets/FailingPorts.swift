internal import MartletSystem

/// A port of 127.0.0.1 to which connecting neither succeeds nor fails: it waits, as for a host that does not respond.
///
/// Its listener accepts nothing, and its own connections fill the backlog.
package final class FullBacklog: Sendable {
    package let port: Int
    private let sockets: [StreamSocket]

    /// Throws `.networkError(.other)` if the backlog of a listener can't be filled on this machine.
    package init() throws(HTTPError) {
        var sockets: [StreamSocket] = []
        do throws(SystemFailure) {
            let listener = try StreamSocket.listener(backlog: 1)
            sockets.append(listener)
            port = listener.port
            let address = try SocketAddress.loopback(port: port)
            // Connections succeed while there is space. The first one that waits indicates a full backlog, and further ones confirm it.
            var waiting = 0
            while waiting < 3 {
                guard sockets.count < 300 else { throw SystemFailure(what: "300 connections did not fill the backlog", code: ENOTSUP) }
                let client = try StreamSocket(connectingTo: address)
                sockets.append(client)
                if !FullBacklog.stands(client) { waiting += 1 }
            }
        } catch {
            for socket in sockets { socket.shut() }
            throw HTTPError(serverCannot: error)
        }
        self.sockets = sockets
    }

    deinit { for socket in sockets { socket.shut() } }

    private static func stands(_ socket: StreamSocket) -> Bool {
        var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 50) == 1
    }
}

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
