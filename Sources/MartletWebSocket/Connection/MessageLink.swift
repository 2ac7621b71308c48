internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletWebSocketProtocol

/// A transport that speaks WebSocket itself, such as `URLSession`.
final class MessageLink: WebSocketLink {
    private let connection: any MessageConnection
    private let limits: WebSocketLimits
    private let core = Locked(WeakCore())
    /// Whether a Close frame was sent.
    private let isClosing = Locked(false)

    init(_ connection: any MessageConnection, _ limits: WebSocketLimits) {
        self.connection = connection
        self.limits = limits
    }

    func start(_ core: WebSocketCore) {
        self.core.withLock { $0.core = core }
        Task { [self, weak core] in
            do throws(HTTPError) {
                while let core {
                    _ = await core.room()
                    switch try await connection.receive() {
                    case .message(let message):
                        let message: WebSocketMessage =
                            switch message {
                            case .text(let text): .text(text)
                            case .data(let data): .data(data)
                            }
                        guard message.byteCount <= limits.messageBytes else {
                            let violation = WebSocketViolation.tooLarge(limit: limits.messageBytes)
                            close(violation.closeCode, reason: "\(violation)")
                            return core.closed(violation.closeCode, "\(violation)", by: .client)
                        }
                        core.received([message])
                    case .closed(let code, let reason):
                        if code == WebSocketCloseCode.abnormalClosure.rawValue { return core.lost(nil) }
                        let code = code.map { WebSocketCloseCode(rawValue: $0) }
                        return core.closed(code, String(decoding: reason, as: UTF8.self), by: .server)
                    }
                }
            } catch { core?.lost(error) }
        }
    }

    func send(_ message: WebSocketMessage, willSend: () -> Void) async throws(HTTPError) -> Bool {
        willSend()
        switch message {
        case .text(let text): try await connection.send(.text(text))
        case .data(let data): try await connection.send(.data(data))
        }
        return true
    }

    func ping(_ payload: Data) {
        Task { [self] in
            guard (try? await connection.ping()) != nil else { return }
            core.withLock { $0.core }?.receivedPong(payload)
        }
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        isClosing.withLock { $0 = true }
        let code = code.maySend ? code : .normalClosure
        connection.sendClose(code: code.rawValue, reason: WebSocketConnectionMachine.reason(reason))
    }

    func release(within limit: (_ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer) {
        // Closing the connection at once could discard the Close frame.
        guard isClosing.withLock({ $0 }) else { return connection.close() }
        _ = limit { [connection] in connection.close() }
    }

    func abort() { connection.close() }
}
