internal import MartletClient
internal import MartletHTTP
internal import MartletSystem
internal import MartletTransfers
internal import MartletWebSocketProtocol

/// A WebSocket as the source of a ``ReconnectingLoop``.
struct SocketSource: ReconnectingSource {
    typealias Signal = WebSocketSignal
    typealias Response = WebSocket
    typealias Connection = SocketConnection
    typealias Failure = WebSocketError

    let opening: WebSocketOpening
    let rules: WebSocketReconnection
    let reading: ObservedReading
    /// Lets the app subscribe, for each connection.
    let greet: @Sendable (WebSocket) async throws -> Void

    func prepare(_ number: Int, after error: HTTPError?) {}

    func connect() async throws(WebSocketError) -> WebSocket {
        let socket: WebSocket
        do throws(HTTPError) { socket = try await opening.open(reading, nil) } catch { throw .failed(error) }
        do { try await greet(socket) } catch {
            // What arrived before the end of the connection is still read, and the reader then sees the end.
            if error is WebSocketError, socket.core.ended.early != nil { return socket }
            socket.core.leave()
            throw WebSocketError(ofApp: error)
        }
        return socket
    }

    func opened(_ outcome: Result<WebSocket, WebSocketError>) -> ConnectionStep<SocketSource> {
        switch outcome {
        case .failure(let error): lost(error)
        case .success(let socket):
            .opened(SocketConnection(socket, maxAge: rules.effectiveAge, time: opening.time), .open(socket)) { [weak core = socket.core] in
                core?.leave()
            }
        }
    }

    func read(_ connection: SocketConnection, noting history: inout ReconnectionHistory) async -> ConnectionStep<SocketSource> {
        do throws(WebSocketError) {
            guard let message = try await connection.socket.core.next() else { return connection.isTooOld ? .again(nil) : .finished }
            history.broughtEvent()
            return .signal(.message(message))
        } catch { return lost(error) }
    }

    private func lost(_ error: WebSocketError) -> ConnectionStep<SocketSource> {
        let cause: ConnectionEnd.Cause
        switch error {
        case .closed(let closure) where rules.closeCodes.contains(closure.code):
            cause = .failed(.networkError(NetworkFailure(.connectionLost, "\(closure)")))
        case .closed, .invalidMessage: cause = .refused
        case .failed(let failure): cause = .failed(failure)
        }
        return .lost(ConnectionLoss(cause, error: error, because: error))
    }

    static func failure(_ error: HTTPError) -> WebSocketError { .failed(error) }
}

extension WebSocketError {
    /// Wraps an error of the app's own code.
    fileprivate init(ofApp error: any Error) {
        switch error {
        case let error as WebSocketError: self = error
        case let error as HTTPError: self = .failed(error)
        case is CancellationError: self = .failed(.cancelled)
        default: self = .failed(.interceptorFailed(Explanation("greet", context: ErrorContext(stage: .interceptor, underlying: error))))
        }
    }
}

/// An open connection, which is closed when it has reached its age, and when it is released.
final class SocketConnection: Sendable {
    let socket: WebSocket
    private let expiry = OneShot<Void>()
    private let timer: (any ScheduledTimer)?

    init(_ socket: WebSocket, maxAge: Duration?, time: any TimeSource) {
        self.socket = socket
        timer = maxAge.map { [expiry] age in
            time.timer(at: time.instant + age) { [weak core = socket.core] in
                expiry.set(())
                core?.beginClose(WebSocketClosure(code: .normalClosure, side: .client))
            }
        }
    }

    deinit {
        timer?.cancel()
        // The app may have kept the socket of a signal.
        socket.core.leave()
    }

    /// Whether the connection was closed because of its age.
    var isTooOld: Bool { expiry.early != nil }
}

extension WebSocketSignal: ReconnectionSignal {}
