internal import MartletCache
internal import MartletSystem

/// The thread of a store. It polls the sockets and serves each connection as far as possible without waiting.
///
/// Only this thread uses this class and ``RedisConnection``. Other threads reach it through ``RedisControl``.
final class RedisLoop {
    private struct Waiting {
        let request: RedisRequest
        var isSecondTry = false
    }

    private let settings: RedisSettings
    private let control: RedisControl
    private var connections: [RedisConnection] = []
    private var waiting: [Waiting] = []
    private var polled: [pollfd] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1024, alignment: 16)
    private var made = 0
    /// The time until which no more connections are attempted, because one was refused while others are open.
    private var enoughUntil: ContinuousClock.Instant?

    init(settings: RedisSettings, control: RedisControl) {
        self.settings = settings
        self.control = control
    }

    deinit { buffer.deallocate() }

    /// Serves the connections until the mailbox is stopped.
    func run() {
        while !control.events.isStopping {
            wait()
            if polled[0].revents != 0 { for event in control.events.take() { take(event) } }
            for (index, connection) in connections.enumerated() where index + 1 < polled.count {
                let events = polled[index + 1].revents
                guard events != 0, connection.phase != .closed, connection.descriptor == polled[index + 1].fd else { continue }
                follow(connection.serve(events, buffer: buffer), of: connection)
            }
            dispatch()
            connections.removeAll { $0.phase == .closed }
        }
        let end = CacheStoreError(.unavailable, "the store was released")
        for connection in connections {
            if let request = connection.request { finish(request, .failure(end)) }
            connection.close()
        }
        for event in control.events.take() { if case .submitted(let request) = event { finish(request, .failure(end)) } }
        failWaiting(end)
    }

    private func wait() {
        polled.removeAll(keepingCapacity: true)
        polled.append(pollfd(fd: control.events.descriptor, events: Int16(POLLIN), revents: 0))
        for connection in connections {
            polled.append(pollfd(fd: connection.descriptor, events: connection.interest, revents: 0))
        }
        if poll(&polled, nfds_t(polled.count), -1) < 0 { for index in polled.indices { polled[index].revents = 0 } }
    }

    private func take(_ event: RedisControl.Event) {
        switch event {
        case .submitted(let request): waiting.append(Waiting(request: request))
        case .expired(let request): expire(request)
        case .resolved(let number, let addresses):
            guard let connection = connections.first(where: { $0.number == number }), connection.phase == .connecting else { return }
            follow(connection.connect(to: addresses), of: connection)
        case .connectExpired(let number):
            guard let connection = connections.first(where: { $0.number == number }), connection.isOpening else { return }
            refused(connection, CacheStoreError(.timeout, "no connection to the server within \(settings.connectTimeout.shortText)"))
        }
    }

    /// Handles a request that has exceeded its timeout.
    private func expire(_ request: RedisRequest) {
        let error = CacheStoreError(.timeout, "the server did not reply within \(settings.commandTimeout.shortText)")
        if let connection = connections.first(where: { $0.request === request }) {
            connection.close()
            control.fail(error, until: pauseEnd)
            finish(request, .failure(error))
        } else if let index = waiting.firstIndex(where: { $0.request === request }) {
            waiting.remove(at: index)
            if connections.allSatisfy({ !$0.isProven }) { control.fail(error, until: pauseEnd) }
            if request.isProbe { control.dropProbe(at: settings.time.instant) }
            finish(request, .failure(error))
        }
    }

    /// Handles the result of serving a connection.
    private func follow(_ progress: RedisConnection.Progress, of connection: RedisConnection) {
        switch progress {
        case .none: break
        case .ready:
            connection.timer?.cancel()
            connection.timer = nil
        case .answered(let request, let reply):
            control.succeed()
            finish(request, .success(reply))
        case .failed(let error, let isLost):
            switch connection.phase {
            case .closed: break
            case .idle: connection.close()
            case .connecting, .greeting: refused(connection, error)
            case .busy: broken(connection, error, isLost: isLost)
            }
        }
    }

    /// Handles a connection that could not be established.
    private func refused(_ connection: RedisConnection, _ error: CacheStoreError) {
        connection.close()
        let others = connections.contains { $0.phase == .idle || $0.phase == .busy }
        guard !others else {
            enoughUntil = pauseEnd
            return
        }
        control.fail(error, until: pauseEnd)
        failWaiting(error)
    }

    /// Handles a connection that ended during a request.
    private func broken(_ connection: RedisConnection, _ error: CacheStoreError, isLost: Bool) {
        let request = connection.request, mayTryAgain = isLost && connection.isProven && !connection.hasAnswer && !connection.isSecondTry
        connection.close()
        guard let request else { return }
        guard mayTryAgain else {
            control.fail(error, until: pauseEnd)
            return finish(request, .failure(error))
        }
        // The server closed an idle connection or was restarted, so the other idle connections are useless too.
        for other in connections where other.phase == .idle { other.close() }
        waiting.insert(Waiting(request: request, isSecondTry: true), at: 0)
    }

    private func failWaiting(_ error: CacheStoreError) {
        let all = waiting
        waiting = []
        for each in all { finish(each.request, .failure(error)) }
    }

    private func finish(_ request: RedisRequest, _ outcome: RedisRequest.Outcome) {
        request.timer.cancel()
        control.leave()
        request.settle(outcome)
    }

    private var pauseEnd: ContinuousClock.Instant { settings.time.instant + settings.pause }

    /// Sends waiting requests over idle connections, and opens missing connections.
    private func dispatch() {
        while let next = waiting.first {
            guard !next.request.isSettled else {
                waiting.removeFirst()
                if next.request.isProbe { control.dropProbe(at: settings.time.instant) }
                finish(next.request, .failure(CacheStoreError(.cancelled, "the caller's task was cancelled")))
                continue
            }
            // The connection used last. Surplus connections stay idle until the server closes them.
            guard let connection = connections.last(where: { $0.phase == .idle }) else { return connectMore() }
            waiting.removeFirst()
            follow(connection.begin(next.request, isSecondTry: next.isSecondTry), of: connection)
        }
    }

    private func connectMore() {
        let open = connections.filter { $0.phase != .closed }
        let connecting = open.filter(\.isOpening).count
        if let enoughUntil, !open.isEmpty, settings.time.instant < enoughUntil { return }
        for _ in 0..<max(0, min(waiting.count - connecting, settings.connections - open.count)) { connect() }
    }

    private func connect() {
        made += 1
        let connection = RedisConnection(number: made, greeting: settings.greeting, limits: settings.limits)
        connections.append(connection)
        connection.timer = settings.time.timer(at: settings.time.instant + settings.connectTimeout) { [control, number = made] in
            control.events.post(.connectExpired(connection: number))
        }
        switch settings.place {
        case .socket(let path): control.events.post(.resolved(connection: made, SocketAddress(path: path).map { [$0] } ?? []))
        case .host(let host, let port):
            let addresses = SocketAddress.of(host: host, port: port, isNumeric: true)
            guard addresses.isEmpty else {
                control.events.post(.resolved(connection: made, addresses))
                return
            }
            do throws(SystemFailure) {
                try BackgroundThread.start(name: "martlet.lookup") { [control, number = made] in
                    control.events.post(.resolved(connection: number, SocketAddress.of(host: host, port: port)))
                }
            } catch { control.events.post(.resolved(connection: made, [])) }
        }
    }
}
