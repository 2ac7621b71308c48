package import MartletEssentials
internal import MartletSystem

/// A connection in memory whose other end plays the script of a WebSocket, for clients without sockets.
///
/// As with sockets, each side has to wait when the other one does not read: the sender may be 64 KiB and one write ahead.
package final class ScriptedConnection: ByteConnection {
    private static let bufferBytes = 64 * 1024

    /// How the script has ended the connection.
    private enum Ending {
        /// After both Close frames. What the client still writes is ignored.
        case closed
        case dropped
        case reset

        var error: HTTPError? {
            guard self != .closed else { return nil }
            let words = "the script \(self == .reset ? "resets" : "drops") the connection"
            return .networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .body)))
        }
    }

    /// What has happened since the script was played last.
    private struct Arrivals {
        var bytes = Data()
        var steps: [WebSocketStep] = []
        /// Whether a wait is over.
        var isResumed = false
        /// The client's write that waits until its bytes are read.
        var writer: (@Sendable (HTTPError?) -> Void)?
    }

    private struct State {
        var arrivals = Arrivals()
        /// What the client has not read.
        var output = Data()
        var ending: Ending?
        /// Whether the client has closed the connection.
        var isClosed = false
    }

    private let state = Locked(State())
    /// Increases when the script may go on.
    private let turns = Tally()
    /// Increases when the client may read on.
    private let deliveries = Tally()

    /// Opens a connection on which a script is played. The script must be one that has accepted the request.
    ///
    /// - Parameters:
    ///   - cut: The end of the connection after a number of bytes, or nil.
    ///   - number: The number of the connection.
    ///   - time: The clock for the delays of the script.
    package static func open(
        _ script: WebSocketScript, cut: MockReply.Disconnect?, for request: HTTPRequest, number: Int, time: any TimeSource
    ) -> (client: ScriptedConnection, server: ServerWebSocket) {
        let connection = ScriptedConnection()
        let server = ServerWebSocket(request: RecordedRequest(request, connection: number), agreement: script.agreement) { steps in
            connection.arrive { $0.steps += steps }
        }
        Task {
            let player = script.player(messageBytes: MockServer.Options().bodyBytes, cut: cut)
            await connection.play(player, for: server, time)
        }
        return (connection, server)
    }

    // MARK: The server

    /// Plays the script until the end of the connection.
    private func play(_ player: WebSocketPlayer, for server: ServerWebSocket, _ time: any TimeSource) async {
        var player = player, ending: Ending?
        var sleep: Task<Void, Never>?
        while ending == nil {
            let seen = turns.count
            let isClosed = takeArrivals(for: &player)
            let action = player.next()
            record(&player, in: server)
            switch action {
            case .write(let bytes): await deliver(bytes)
            case .wait(let duration): sleep = self.sleep(duration, time)
            case .end: ending = .closed
            case .breakOff(let isReset): ending = isReset ? .reset : .dropped
            case nil where isClosed: ending = .closed
            // What waited while the script read nothing.
            case nil where player.isReading && hasUnreadBytes: continue
            case nil: try? await turns.wait { $0 > seen }
            }
        }
        player.clientEnded()
        record(&player, in: server)
        sleep?.cancel()
        end(ending ?? .closed)
        server.recordEnd()
    }

    private var hasUnreadBytes: Bool { state.withLock { !$0.arrivals.bytes.isEmpty } }

    /// Passes on what has arrived. Returns whether the client has closed the connection and nothing more arrives.
    private func takeArrivals(for player: inout WebSocketPlayer) -> Bool {
        let reads = player.isReading || player.unread < ScriptedConnection.bufferBytes
        let (arrivals, isClosed) = state.withLock { state in
            var arrivals = exchange(&state.arrivals, with: Arrivals())
            if !reads, !state.isClosed {
                (state.arrivals.bytes, state.arrivals.writer) = (arrivals.bytes, arrivals.writer)
                (arrivals.bytes, arrivals.writer) = (Data(), nil)
            }
            return (arrivals, state.isClosed)
        }
        if !arrivals.bytes.isEmpty { player.receive(arrivals.bytes) }
        arrivals.writer?(nil)
        player.add(arrivals.steps)
        if arrivals.isResumed { player.resume() }
        return isClosed
    }

    private func record(_ player: inout WebSocketPlayer, in server: ServerWebSocket) {
        for note in player.takeNotes() { server.record(note) }
    }

    /// Sends bytes to the client, and returns when it has read enough of them.
    private func deliver(_ bytes: Data) async {
        state.withLock { state in if !state.isClosed { state.output.append(bytes) } }
        deliveries.add(1)
        while true {
            let seen = turns.count
            guard state.withLock({ !$0.isClosed && $0.output.count >= ScriptedConnection.bufferBytes }) else { return }
            try? await turns.wait { $0 > seen }
        }
    }

    private func sleep(_ duration: Duration, _ time: any TimeSource) -> Task<Void, Never> {
        Task {
            do { try await time.sleep(for: duration) } catch { return }
            arrive { $0.isResumed = true }
        }
    }

    private func arrive(_ change: (inout Arrivals) -> Void) {
        state.withLock { state in if state.ending == nil { change(&state.arrivals) } }
        turns.add(1)
    }

    private func end(_ ending: Ending) {
        let writer = state.withLock { state in
            state.ending = ending
            return state.arrivals.writer.take()
        }
        writer?(ending.error)
        deliveries.add(1)
    }

    // MARK: The client

    package func read() async throws(HTTPError) -> Data? {
        while true {
            let seen = deliveries.count
            let (bytes, ending, isClosed) = state.withLock { state in
                (exchange(&state.output, with: Data()), state.ending, state.isClosed)
            }
            if isClosed { throw .cancelled(ErrorContext(stage: .body)) }
            if !bytes.isEmpty {
                turns.add(1)
                return bytes
            }
            if let ending {
                if ending == .reset, let error = ending.error { throw error }
                return nil
            }
            do { try await deliveries.wait { $0 > seen } } catch { throw .cancelled(ErrorContext(stage: .body, underlying: error)) }
        }
    }

    package func write(_ bytes: Data, then: @escaping @Sendable (HTTPError?) -> Void) -> Bool {
        let (isAccepted, error) = state.withLock { state -> (Bool, HTTPError?) in
            if state.isClosed { return (false, .cancelled(ErrorContext(stage: .body))) }
            if let ending = state.ending { return (ending == .closed, ending.error) }
            state.arrivals.bytes.append(bytes)
            let isAccepted = state.arrivals.bytes.count < ScriptedConnection.bufferBytes
            if !isAccepted { state.arrivals.writer = then }
            return (isAccepted, nil)
        }
        turns.add(1)
        if let error { then(error) }
        return isAccepted
    }

    package func close() {
        let writer = state.withLock { state in
            state.isClosed = true
            return state.arrivals.writer.take()
        }
        writer?(.cancelled(ErrorContext(stage: .body)))
        turns.add(1)
        deliveries.add(1)
    }
}
