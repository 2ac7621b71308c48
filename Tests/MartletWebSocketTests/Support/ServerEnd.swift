import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol

/// A connection in memory, with the server's end of it. It replies to pings and Close frames unless a test tells it not to.
final class ServerEnd: ByteConnection {
    private struct State {
        var machine = WebSocketConnectionMachine(role: .server)
        /// What the client has not read.
        var chunks: [Data] = []
        var end: Result<Void, HTTPError>?
        var reader: OneShot<Void>?
        var writer: OneShot<Void>?
        var isClosed = false
        var isSilent = false
        var holdsWrites = false
        var writeFailure: HTTPError?
    }

    private enum Step {
        case bytes(Data)
        case end
        case failure(HTTPError)
        case wait(OneShot<Void>)
    }

    private let state = Locked(State())
    /// What has arrived, in lines such as `text hello`, `data 3`, `ping`, `pong`, and `close 1000 bye`.
    let received = Recorder<String>()
    /// The chunks that the client has read.
    let reads = Recorder<Int>()
    /// The sizes of the client's writes.
    let writes = Recorder<Int>()
    /// Set when the client has closed the connection.
    let closed = OneShot<Void>()

    var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: The server

    /// Sends messages in one chunk.
    func send(_ messages: WebSocketMessage...) {
        deliver { machine in for message in messages { _ = machine.send(message) } }
    }

    func ping(_ payload: Data = Data()) { deliver { _ = $0.ping(payload) } }

    func pong(_ payload: Data) { deliver { _ = $0.pong(payload) } }

    func close(_ code: WebSocketCloseCode?, reason: String = "") { deliver { $0.close(code: code, reason: reason) } }

    /// Sends bytes as they are.
    func deliver(_ bytes: Data) {
        let reader = state.withLock { state in
            if !bytes.isEmpty { state.chunks.append(bytes) }
            return state.reader.take()
        }
        reader?.set(())
    }

    /// Ends the connection, or breaks it.
    func end(_ error: HTTPError? = nil) {
        let reader = state.withLock { state in
            state.end = error.map { .failure($0) } ?? .success(())
            return state.reader.take()
        }
        reader?.set(())
    }

    /// Replies to nothing from here on.
    func silence() { state.withLock { $0.isSilent = true } }

    /// Reads nothing until ``resumeReading()``.
    func stopReading() { state.withLock { $0.holdsWrites = true } }

    func resumeReading() {
        let writer = state.withLock { state in
            state.holdsWrites = false
            return state.writer.take()
        }
        writer?.set(())
    }

    func breakWrites(_ error: HTTPError) { state.withLock { $0.writeFailure = error } }

    /// Waits for a line that begins with a text, and returns it.
    @discardableResult
    func wait(for start: String) async -> String {
        while true {
            if let line = received.values.first(where: { $0.hasPrefix(start) }) { return line }
            await Task.yield()
        }
    }

    private func deliver(_ change: (inout WebSocketConnectionMachine) -> Void) {
        deliver(
            state.withLock { state in
                change(&state.machine)
                return state.machine.takeOutput() ?? Data()
            })
    }

    // MARK: The client

    func read() async throws(HTTPError) -> Data? {
        while true {
            let step = state.withLock { state -> Step in
                if state.isClosed { return .failure(.cancelled) }
                if !state.chunks.isEmpty { return .bytes(state.chunks.removeFirst()) }
                switch state.end {
                case .success: return .end
                case .failure(let error): return .failure(error)
                case nil:
                    let reader = OneShot<Void>()
                    state.reader = reader
                    return .wait(reader)
                }
            }
            switch step {
            case .bytes(let bytes):
                reads.append(bytes.count)
                return bytes
            case .end: return nil
            case .failure(let error): throw error
            case .wait(let reader): await reader.value()
            }
        }
    }

    func write(_ bytes: Data, then: @escaping @Sendable (HTTPError?) -> Void) -> Bool {
        Task {
            do throws(HTTPError) { try await accept(bytes) } catch { return then(error) }
            then(nil)
        }
        return false
    }

    private func accept(_ bytes: Data) async throws(HTTPError) {
        writes.append(bytes.count)
        let writer = state.withLock { state -> OneShot<Void>? in
            guard state.holdsWrites, !state.isClosed else { return nil }
            let writer = OneShot<Void>()
            state.writer = writer
            return writer
        }
        await writer?.value()
        let failure = state.withLock { $0.isClosed ? .cancelled : $0.writeFailure }
        if let failure { throw failure }
        let (events, output) = state.withLock { state -> ([WebSocketEvent], Data?) in
            state.machine.receive(bytes)
            var events: [WebSocketEvent] = []
            while let event = state.machine.next() { events.append(event) }
            let output = state.machine.takeOutput()
            return (events, state.isSilent ? nil : output)
        }
        for event in events { received.append(ServerEnd.line(event)) }
        if let output { deliver(output) }
        // A server closes the connection after the closing handshake (RFC 6455 §7.1.1).
        let isOver = state.withLock { $0.machine.isOver && !$0.isSilent && $0.end == nil }
        if isOver { end() }
    }

    func close() {
        let waits = state.withLock { state in
            state.isClosed = true
            return [state.reader.take(), state.writer.take()]
        }
        for wait in waits { wait?.set(()) }
        closed.set(())
    }

    private static func line(_ event: WebSocketEvent) -> String {
        switch event {
        case .message(.text(let text)): "text \(text)"
        case .message(.data(let data)): "data \(data.count)"
        case .ping: "ping"
        case .pong: "pong"
        case .close(let code, let reason): "close \(code.map { "\($0.rawValue)" } ?? "nil") \(reason)"
        case .failed(let violation): "violation: \(violation)"
        }
    }
}
