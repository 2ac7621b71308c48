internal import MartletClient
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletWebSocketProtocol

/// Opens connections to an endpoint, whose properties are read again for each.
struct WebSocketOpening: Sendable {
    let options: WebSocketOptions
    let time: any TimeSource
    let random: any RandomSource
    let calls: CallGroup?
    private let protocols: [String]
    /// Begins the observation of a connection, or returns nil without observers.
    let observe: @Sendable () -> ObservedCall?
    private let send: @Sendable (ConnectionUpgrade, ObservedCall?) async throws(HTTPError) -> HTTPResponse<HTTPBody>

    init<E: Endpoint>(_ endpoint: E, _ protocols: [String], client: any HTTPClientProtocol, options: WebSocketOptions) {
        self.options = options
        self.protocols = protocols
        time = client.time
        random = client.random
        calls = client.calls
        observe = { client.observe(.webSocket, endpoint, options.call) }
        send = { upgrade, observed async throws(HTTPError) in
            var call = options.call.observed(by: observed)
            call.validation = [.switchingProtocols]
            return try await client.stream(AdjustedEndpoint(upgrading: endpoint, upgrade), options: call)
        }
    }

    /// Opens a connection that is a call of its own.
    func open() async throws(HTTPError) -> WebSocket {
        let reading = ObservedReading(observe), call = LongLivedCall(calls)
        do throws(HTTPError) {
            try call.check()
            let socket = try await call.run { () async throws(HTTPError) in try await open(reading, call) }.get()
            // Not earlier: until now, cancelling the call cancelled the handshake.
            socket.core.endWithCall()
            return socket
        } catch {
            reading.failed(error)
            reading.finished()
            call.end()
            throw error
        }
    }

    /// Opens a connection.
    ///
    /// - Parameter call: The call that ends with the connection, or nil if other connections follow.
    func open(_ reading: ObservedReading, _ call: LongLivedCall?) async throws(HTTPError) -> WebSocket {
        try check()
        let last = Locked<WebSocketHandshake?>(nil)
        let upgrade = ConnectionUpgrade(
            maxMessageBytes: options.limits.messageBytes, confinedFields: options.hasPublicProtocols ? [] : [.secWebSocketProtocol]
        ) { [protocols, random, options] request in
            let handshake = WebSocketHandshake(protocols: protocols, compression: options.compression, random: random)
            last.withLock { $0 = handshake }
            for field in handshake.fields { request.headers[field.name] = field.value }
        }
        let response: HTTPResponse<HTTPBody>
        do throws(HTTPError) { response = try await send(upgrade, reading.call) } catch {
            // The error has the request, and with it the upgrade.
            upgrade.take()?.close()
            throw error
        }
        let head = response.map { _ in }
        reading.opened(head)
        guard let connection = upgrade.take() else {
            throw WebSocketOpening.invalid("the transport of the client opens no WebSocket connections", head)
        }
        let agreement: WebSocketAgreement
        let link: any WebSocketLink
        switch connection {
        case .bytes(let bytes):
            do throws(WebSocketHandshakeFailure) {
                let handshake = last.withLock { $0 } ?? WebSocketHandshake(random: random)
                agreement = try handshake.agreement(status: head.status, headers: head.headers)
            } catch {
                connection.close()
                throw WebSocketOpening.invalid("\(error)", head)
            }
            let machine = WebSocketConnectionMachine(
                role: .client, limits: options.limits, compression: agreement.compression, random: random)
            link = FrameLink(bytes, machine, maxUnsentBytes: options.maxUnsentBytes)
        case .messages(let messages):
            agreement = WebSocketAgreement(subprotocol: messages.selectedProtocol)
            link = MessageLink(messages, options.limits)
        }
        let core = WebSocketCore(link, options, time: time, monitor: WebSocketMonitor(reading, call))
        return WebSocket(core, response: head, subprotocol: agreement.subprotocol)
    }

    private func check() throws(HTTPError) {
        // The text is not part of the error: some servers take a token in place of a subprotocol.
        for (index, name) in protocols.enumerated() where !name.isToken || protocols[..<index].contains(name) {
            throw .invalidRequest(Explanation("subprotocol \(index + 1) of \(protocols.count) is not a valid name, or is there twice"))
        }
    }

    private static func invalid(_ reason: String, _ head: HTTPResponse<Void>) -> HTTPError {
        .invalidResponse(Explanation(reason, context: ErrorContext(request: head.metadata.request, stage: .exchange)))
    }
}

extension AdjustedEndpoint {
    /// Creates the request of a handshake.
    fileprivate init(upgrading endpoint: Base, _ upgrade: ConnectionUpgrade) throws(HTTPError) {
        self.init(endpoint)
        guard method == .get else { throw .invalidRequest(Explanation("a WebSocket is opened with GET, not with \(method)")) }
        for field in headers where field.name.description.lowercased().hasPrefix("sec-websocket-") {
            throw .invalidRequest(
                Explanation("\(field.name) is a field of the handshake: use `protocols:`, or the compression of the options"))
        }
        body = nil
        url = url?.withoutWebSocketScheme
        baseURL = baseURL?.withoutWebSocketScheme
        options.context.upgrade = upgrade
    }
}
