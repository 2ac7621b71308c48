internal import MartletEssentials
internal import MartletSystem
internal import MartletWebSocket

/// WebSocket connections (RFC 6455), which a client opens over the transport.
enum WebSocketCases {
    static let all = [
        webSocket("websockets.messages", "Texts and binary messages arrive unchanged in both directions, whatever their size", messages),
        webSocket("websockets.fragments", "Fragments with a ping between them are one message (RFC 6455 §5.4)", fragments),
        webSocket("websockets.pings", "Pings of both sides are answered with their payloads (RFC 6455 §5.5.2)", pings),
        webSocket("websockets.subprotocol", "The subprotocols are offered in order, and the selected one is known", subprotocol),
        webSocket("websockets.handshake", "A 101 that violates RFC 6455 §4.1 opens nothing and closes its connection", handshake),
        webSocket("websockets.refusal", "A refused handshake is the server's response, with its status and fields", refusal),
        webSocket("websockets.redirect", "A redirect of the handshake is returned, so that the client can follow it", redirect),
        webSocket("websockets.client-close", "The client's close code and reason arrive, and its close waits for the echo", clientClose),
        webSocket("websockets.server-close", "The server's close code and reason end the messages that arrived before", serverClose),
        webSocket("websockets.violations", "Frames that violate RFC 6455 end the connection with the code that it names", violations),
        webSocket("websockets.limit", "A message beyond the limit closes the connection with 1009", limit),
        webSocket("websockets.drop", "A connection that ends within a message has lost it, and is an error", drop),
        webSocket(
            "websockets.cancelled-opening", "Cancelling a handshake ends it as cancelled and closes its connection", cancelledOpening),
        webSocket("websockets.cancelled-reading", "Cancelling the task that reads closes the connection with 1001", cancelledReading),
        webSocket("websockets.slow-reader", "A server whose messages are not read is stopped, and continues when they are", slowReader),
        webSocket("websockets.slow-server", "A client waits while its server does not read, and continues when it does", slowServer),
    ]

    /// Creates a case for transports that open WebSockets. Over others, it expects that they are refused before anything is sent.
    private static func webSocket(
        _ id: String, _ description: String, _ run: @escaping @Sendable (CaseContext) async throws -> Void
    ) -> Case {
        Case(id, description) { context in
            guard context.transport.opensWebSockets else { return try await inability(context) }
            try await run(context)
        }
    }

    private static func inability(_ context: CaseContext) async throws {
        let server = try await context.serve(.webSocket(.echo))
        context.step("opening a WebSocket over a transport that opens none")
        let outcome = await Outcome.of { () throws(HTTPError) in
            let socket = try await HTTPClient(baseURL: server.url, transport: context.transport).webSocket(.get("socket"))
            await socket.close()
            return Data()
        }
        context.expect("the opening", outcome, fails: .engineUnavailable)
        context.expect("the connections", server.connectionCount, is: 0)
    }

    // MARK: Messages

    static func messages(_ context: CaseContext) async throws {
        let stage = try await context.stage(.webSocket(.echo))
        let socket = try await stage.open()
        var iterator = socket.messages.makeAsyncIterator()
        let texts = ["", "Grüße 🐦", String(repeating: "é", count: 40_000)].map { WebSocketMessage.text($0) }
        let data = [0, 1, 125, 126, 127, 65_535, 65_536, 1_000_000].map { WebSocketMessage.data(Pattern.data($0)) }
        for message in texts + data {
            context.step("waiting for the echo of \(message.byteCount) bytes")
            try await socket.send(message)
            let echo = try await iterator.next()
            context.expect(
                "a message of \(message.byteCount) bytes", echo == message, "its echo",
                seen: echo.map { "\($0.byteCount) others" } ?? "none")
        }
        await socket.close()
        let received = try await stage.accepted().messages
        context.expect("what the server received", received == texts + data, "all messages", seen: "\(received.count) messages")
    }

    static func fragments(_ context: CaseContext) async throws {
        let stage = try await context.stage(
            .webSocket(
                .send("Grüße 🐦", fragmentBytes: 1), .frame(0x1, "a", isFinal: false), .ping(Data("p".utf8)), .frame(0x0, "b"), .close()))
        let (messages, end) = await context.read(try await stage.open())
        context.expect("the messages", messages, is: ["Grüße 🐦", "ab"])
        context.expect("the end", end, is: nil)
        let server = try await stage.accepted()
        try await server.waitForEnd()
        context.expect("the pongs", server.pongs, is: [Data("p".utf8)])
    }

    static func pings(_ context: CaseContext) async throws {
        let stage = try await context.stage(.webSocket(.ping(Data("p".utf8)), .send("after"), .echo))
        let socket = try await stage.open(), server = try await stage.accepted()
        var iterator = socket.messages.makeAsyncIterator()
        context.expect("the first message", try await iterator.next(), is: "after")
        context.step("waiting for a pong")
        _ = try await socket.ping()
        try await socket.send("x")
        context.expect("the echo", try await iterator.next(), is: "x")
        context.expect("the pongs", server.pongs, is: [Data("p".utf8)])
        context.expect("the number of pings", server.pings.count, is: 1)
        await socket.close()
    }

    // MARK: Handshakes

    static func subprotocol(_ context: CaseContext) async throws {
        let stage = try await context.stage(.webSocket(.close(), protocols: ["v2"]), .webSocket(.close(), protocols: []))
        let selected = try await stage.open(protocols: ["v1", "v2"]), none = try await stage.open(protocols: ["v1"])
        context.expect("the selected one of two", selected.subprotocol, is: "v2")
        context.expect("the selected one of none", none.subprotocol, is: nil)
        let offered = try await stage.accepted().request.headers["Sec-WebSocket-Protocol"]
        context.expect("the offer", offered?.filter { $0 != " " }, is: "v1,v2")
    }

    static func handshake(_ context: CaseContext) async throws {
        let isOfBytes = try await context.stage(.webSocket(.echo)).handsOverBytes()
        let wrong: [HTTPFields] = [
            [.secWebSocketAccept: "d3Jvbmc="], [.secWebSocketProtocol: "other"], [.secWebSocketExtensions: "x-unknown"], [.upgrade: "h2c"],
        ]
        for fields in wrong {
            let stage = try await context.stage(.webSocket(.echo, headers: fields))
            let error = await stage.refusal(protocols: ["chat"])
            let isExpected = if case .invalidResponse? = error { true } else { !isOfBytes && error != nil }
            context.expect("\(fields)", isExpected, ".invalidResponse", seen: error.map { "\($0)" } ?? "a connection")
            try await stage.waitUntilClosed()
        }
    }

    static func refusal(_ context: CaseContext) async throws {
        for status in [401, 403, 200] as [HTTPStatus] {
            let stage = try await context.stage(.text("no room", status: status, headers: ["X-Why": "full"]))
            guard case .statusCode(let response)? = await stage.refusal() else {
                context.expect("\(status)", false, ".statusCode", seen: "another end")
                continue
            }
            context.expect("the status", response.status, is: status)
            context.expect("the field", response.headers["X-Why"], is: "full")
            let isRead = response.body == Data("no room".utf8)
            context.expect("the body", isRead || response.body.isEmpty, "the server's, or none", seen: "\(response.body.count) bytes")
        }
    }

    static func redirect(_ context: CaseContext) async throws {
        let stage = try await context.stage(.status(307, headers: [.location: "/there?a=b"]), .webSocket(.send("here"), .close()))
        let (messages, end) = await context.read(try await stage.open())
        context.expect("the messages", messages, is: ["here"])
        context.expect("the end", end, is: nil)
        context.expect("the target", try await stage.accepted().request.target, is: "/there?a=b")
    }

    // MARK: Ends

    static func clientClose(_ context: CaseContext) async throws {
        let stage = try await context.stage(.webSocket(.echo))
        let socket = try await stage.open(), server = try await stage.accepted()
        context.step("closing a WebSocket")
        let end = await socket.close(code: 4000, reason: "bye")
        context.expect("the end", end, is: .closed(WebSocketClosure(code: 4000, reason: "bye", side: .client)))
        context.expect("the code", try await server.waitForEnd(), is: 4000)
        context.expect("the reason", server.closeReason, is: "bye")
        context.expect("the rest", await context.read(socket).end, is: nil)
    }

    static func serverClose(_ context: CaseContext) async throws {
        let ends: [(WebSocketCloseCode?, String)] = [(.goingAway, "later"), (4321, ""), (nil, "")]
        for (code, reason) in ends {
            let stage = try await context.stage(.webSocket(.send("last"), .close(code, reason: reason)))
            let (messages, end) = await context.read(try await stage.open())
            context.expect("the messages", messages, is: ["last"])
            let closure = WebSocketClosure(code: code ?? .noStatusReceived, reason: reason, side: .server)
            context.expect("the end", end, is: .closed(closure))
        }
        let stage = try await context.stage(.webSocket(.send("last"), .close(.normalClosure)))
        context.expect("a normal end", await context.read(try await stage.open()).end, is: nil)
    }

    static func violations(_ context: CaseContext) async throws {
        let isOfBytes = try await context.stage(.webSocket(.echo)).handsOverBytes()
        let wrong: [(WebSocketStep, WebSocketCloseCode)] = [
            (.frame(0x3, "x"), .protocolError), (.frame(0x0, "x"), .protocolError), (.frame(0x1, "x", reservedBits: 4), .protocolError),
            (.frame(0x9, "x", isFinal: false), .protocolError), (.frame(0x8, .data(Data([3]))), .protocolError),
            (.raw(Data([0x81, 0x81, 0, 0, 0, 0, 0x61])), .protocolError), (.frame(0x1, .data(Data([0xC3, 0x28]))), .invalidPayload),
        ]
        for (step, code) in wrong {
            let stage = try await context.stage(.webSocket(.send("one"), step))
            let socket = try await stage.open(), server = try await stage.accepted()
            let (messages, end) = await context.read(socket)
            // A transport that speaks WebSocket itself decides how it ends the connection.
            let isExpected = isOfBytes ? end?.closure?.code == code && end?.closure?.side == .client : end != nil
            context.expect("\(step)", isExpected, "\(code) by the client", seen: end.map { "\($0)" } ?? "a normal end")
            guard isOfBytes else { continue }
            context.expect("the messages before \(step)", messages, is: ["one"])
            context.expect("the code that the server received", try await server.waitForEnd(), is: code)
        }
    }

    static func limit(_ context: CaseContext) async throws {
        let stage = try await context.stage(.webSocket(.send(.data(Pattern.data(1000))), .send(.data(Pattern.data(1001)))))
        let socket = try await stage.open { $0.limits.messageBytes = 1000 }
        let (messages, end) = await context.read(socket)
        context.expect("the messages", messages, is: [.data(Pattern.data(1000))])
        context.expect("the code", end?.closure?.code, is: .messageTooBig)
        context.expect("the side", end?.closure?.side, is: .client)
        context.expect("the code that the server received", try await stage.accepted().waitForEnd(), is: .messageTooBig)
    }

    static func drop(_ context: CaseContext) async throws {
        let half = WebSocketStep.raw(Data([0x81, 5, 0x61]))
        let lost = WebSocketError.failed(.connectionLost)
        let stage = try await context.stage(.webSocket(.send("one"), half, .drop()), .webSocket(.send("one"), half, .drop(reset: true)))
        let (messages, end) = await context.read(try await stage.open())
        context.expect("the messages", messages, is: ["one"])
        context.expect("the end", end, is: lost)
        // A reset may also discard what has arrived.
        context.expect("the end by a reset", await context.read(try await stage.open()).end, is: lost)
    }

    // MARK: Cancellation

    static func cancelledOpening(_ context: CaseContext) async throws {
        let stage = try await context.stage(.silence)
        let opening = Task { await stage.refusal() }
        try await stage.waitForRequest()
        opening.cancel()
        context.step("waiting for the end of a cancelled handshake")
        context.expect("the opening", await opening.value, is: .cancelled)
        try await stage.waitUntilClosed()
    }

    static func cancelledReading(_ context: CaseContext) async throws {
        let stage = try await context.stage(.webSocket(.send("one")))
        let socket = try await stage.open(), server = try await stage.accepted()
        let hasBegun = Tally()
        let reading = Task { () -> WebSocketError? in
            do throws(WebSocketError) {
                for try await _ in socket.messages { hasBegun.add(1) }
            } catch { return error }
            return nil
        }
        try await hasBegun.wait { $0 > 0 }
        reading.cancel()
        context.step("waiting for the end of a cancelled reader")
        context.expect("the read", await reading.value, is: .failed(.cancelled))
        context.expect("the code that the server received", try await server.waitForEnd(), is: .goingAway)
        try await stage.waitUntilClosed()
    }

    // MARK: Backpressure

    private static let count = 64
    /// The number of messages of 1 MB that may be under way while nothing is read. Kernels hold up to 33 MB.
    private static let bound = 48

    static func slowReader(_ context: CaseContext) async throws {
        let message = WebSocketMessage.data(Pattern.data(1_000_000)), sent = Tally()
        let step = WebSocketStep.expect("a request") { _ in
            sent.add(1)
            return true
        }
        let stage = try await context.stage(.webSocket((0..<count).flatMap { _ in [step, .send(message)] } + [.close()]))
        let socket = try await stage.open()
        for _ in 0..<count { try await socket.send("next") }
        context.step("waiting until the server is stopped because its messages are not read")
        try await context.waitUntilConstant(sent, below: count)
        if context.options.capabilities.contains(.backpressure) {
            context.expect("the messages sent meanwhile", sent.count < bound, "less than \(bound)", seen: "\(sent.count)")
        }
        let (messages, end) = await context.read(socket)
        let isWhole = messages.count == count && messages.allSatisfy { $0 == message }
        context.expect("the messages", isWhole, "all \(count)", seen: "\(messages.count), or others")
        context.expect("the end", end, is: nil)
    }

    static func slowServer(_ context: CaseContext) async throws {
        let message = WebSocketMessage.data(Pattern.data(1_000_000)), sent = Tally()
        let stage = try await context.stage(.webSocket(.stopReading, .send("stopped")))
        let socket = try await stage.open(), server = try await stage.accepted()
        var iterator = socket.messages.makeAsyncIterator()
        context.expect("the first message", try await iterator.next(), is: "stopped")
        let sending = Task { () -> WebSocketError? in
            do throws(WebSocketError) {
                for _ in 0..<count {
                    try await socket.send(message)
                    sent.add(1)
                }
            } catch { return error }
            return nil
        }
        context.step("waiting until the client is stopped because its messages are not read")
        try await context.waitUntilConstant(sent, below: count)
        context.expect("the messages sent meanwhile", sent.count < bound, "less than \(bound)", seen: "\(sent.count)")
        server.play(.resumeReading)
        context.step("waiting until the server has read all messages")
        context.expect("the sending", await sending.value, is: nil)
        let received = try await server.waitForMessages(count)
        context.expect("the messages", received.allSatisfy { $0 == message }, "all \(count)", seen: "others")
        await socket.close()
    }
}
