internal import MartletSystem

/// The server's thread: waits for its sockets and lets each connection proceed as far as possible without waiting.
///
/// Only this thread uses the state here and in ``ServerConnection``. Other threads use ``ServerControl``.
final class ServerLoop {
    private let listener: StreamSocket
    private let tls: TLSContext?
    private let control: ServerControl
    private var connections: [ServerConnection] = []
    private var byNumber: [Int: ServerConnection] = [:]
    private var polled: [pollfd] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var accepted = 0
    /// Whether listening is paused because the process has no descriptors left.
    private var isExhausted = false
    private var idleClock: IdleClock?

    init(listener: StreamSocket, tls: TLSContext?, control: ServerControl) {
        self.listener = listener
        self.tls = tls
        self.control = control
        idleClock = control.options.limits.map { limits in
            // No connection has this number.
            IdleClock(limits, time: control.options.time) { [weak control] in control?.post(.resume, to: 0) }
        }
    }

    deinit { buffer.deallocate() }

    /// Serves until the server is stopped.
    func run() {
        while !control.mailbox.isStopping {
            wait()
            if polled[0].revents != 0 { deliverMessages() }
            serveConnections()
            if polled[1].revents != 0 { acceptAll() }
            closeIdle()
            removeClosed()
        }
        for connection in connections { connection.shut() }
        removeClosed()
        listener.shut()
        control.end()
    }

    private func wait() {
        polled.removeAll(keepingCapacity: true)
        polled.append(pollfd(fd: control.mailbox.descriptor, events: Int16(POLLIN), revents: 0))
        polled.append(pollfd(fd: isExhausted ? -1 : listener.descriptor, events: Int16(POLLIN), revents: 0))
        var patience: Int32 = isExhausted ? 10 : -1
        for connection in connections {
            polled.append(pollfd(fd: connection.descriptor, events: connection.interest, revents: 0))
            // Lingering connections are checked periodically, so that they are closed in time.
            if connection.isLingering { patience = patience < 0 ? 100 : patience }
        }
        if poll(&polled, nfds_t(polled.count), patience) < 0 { for index in polled.indices { polled[index].revents = 0 } }
        isExhausted = false
    }

    private func deliverMessages() {
        for (number, message) in control.mailbox.take() {
            guard let connection = byNumber[number], !connection.isClosed else {
                message.drop()
                continue
            }
            connection.receive(message)
        }
    }

    private func serveConnections() {
        for (index, connection) in connections.enumerated() {
            let events = polled[index + 2].revents
            if events != 0, !connection.isClosed { connection.serve(events, buffer: buffer) }
            if connection.isLingering { connection.endLingeringWhenDue() }
        }
    }

    private func acceptAll() {
        for _ in 0..<128 {
            switch listener.accept() {
            case .connection(let socket): accept(socket)
            case .none: return
            case .failed:
                isExhausted = true
                return
            }
        }
    }

    private func accept(_ socket: StreamSocket) {
        let session = tls?.session()
        guard tls == nil || session != nil, isAdmitted() else { return socket.shut() }
        accepted += 1
        let connection = ServerConnection(link: ServerLink(socket, tls: session), number: accepted, control: control)
        connections.append(connection)
        byNumber[accepted] = connection
        // Last: who awaits these counts may then change the time, from which the connection's wait is measured.
        control.open.add(1)
        control.accepted.add(1)
    }

    /// Whether a further connection is within the limit, for which another one may be closed.
    private func isAdmitted() -> Bool {
        guard let limits = control.options.limits else { return true }
        removeClosed()
        switch limits.admission(besides: connections.map(\.clientsTurn)) {
        case .accept: return true
        case .replace(let index):
            connections[index].shut()
            return true
        case .refuse: return false
        }
    }

    private func closeIdle() {
        guard let expired = idleClock?.expired(connections.map { $0.isClosed ? nil : $0.clientsTurn }) else { return }
        for index in expired { connections[index].shut() }
    }

    private func removeClosed() {
        guard connections.contains(where: \.isClosed) else { return }
        for connection in connections where connection.isClosed {
            byNumber[connection.number] = nil
            control.open.add(-1)
        }
        connections.removeAll(where: \.isClosed)
    }
}
