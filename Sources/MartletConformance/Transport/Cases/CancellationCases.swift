internal import MartletEssentials

/// Cancellation of the calling task.
enum CancellationCases {
    static let all = [
        Case("cancellation.before", "A task that is already cancelled sends nothing", before),
        Case("cancellation.head", "Cancelling a call that waits for the head ends it as cancelled and closes its connection", head),
        Case("cancellation.body", "Cancelling a call within a buffered body ends it as cancelled and closes its connection", body),
        Case("cancellation.stream", "Cancelling a task that reads a stream ends the read as cancelled and closes the connection", stream),
        Case("cancellation.dropped", "Dropping a stream, whether or not it was read, closes its connection", dropped),
        Case("cancellation.connecting", "Cancelling a call while its connection is established ends it as cancelled", connecting),
        Case(
            "cancellation.upload",
            "Cancelling a call whose request body has no bytes available ends it as cancelled and closes its connection", upload),
        Case("cancellation.after", "Cancelling a call after its response has no effect", after),
        Case("cancellation.client", "Cancelling a call of a client ends it as cancelled and closes its connection", client),
    ]

    static func before(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .text("too late") }
        for delivery in BodyDelivery.both {
            let request = try context.request(server, .post, body: HTTPBody("x"), delivery: delivery)
            let gate = Tally()
            let call = Task { () -> Outcome in
                // Ends when the task has been cancelled, and not before.
                try? await gate.wait { _ in false }
                return await context.exchange(request)
            }
            call.cancel()
            context.expect(delivery.words, await call.value, fails: .cancelled)
        }
        context.expect("the connections", server.connectionCount, is: 0)
    }

    static func head(_ context: CaseContext) async throws {
        let server = try await context.serve(.silence, .silence)
        for (index, delivery) in BodyDelivery.both.enumerated() {
            let call = context.start(try context.request(server, .post, body: HTTPBody("x"), delivery: delivery))
            try await server.waitForRequests(index + 1)
            call.cancel()
            context.expect(delivery.words, await call.value, fails: .cancelled)
            try await context.waitUntilClosed(server)
        }
        context.expect("the deliveries", server.requests.count, is: 2)
    }

    private static let endless = MockReply.stream("first", "second").piecesDelayed(by: .seconds(3600))

    static func body(_ context: CaseContext) async throws {
        let server = try await context.serve(endless)
        let call = context.start(try context.request(server))
        context.step("waiting until the head and the first chunk are sent")
        try await server.waitForBytesWritten(57)
        call.cancel()
        context.expect("the call", await call.value, fails: .cancelled)
        try await context.waitUntilClosed(server)
    }

    static func stream(_ context: CaseContext) async throws {
        let server = try await context.serve(endless)
        let hasBegun = Tally()
        let request = try context.request(server, delivery: .streamed)
        let call = Task {
            await Outcome.of { () throws(HTTPError) in
                var iterator = try await context.transport.send(request).body.makeAsyncIterator()
                while let chunk = try await iterator.next() { hasBegun.add(chunk.count) }
                return Data()
            }
        }
        context.step("waiting for the first bytes")
        try await hasBegun.wait { $0 > 0 }
        call.cancel()
        context.step("waiting for the end of a cancelled read")
        context.expect("the read", await call.value, fails: .cancelled)
        try await context.waitUntilClosed(server)
    }

    static func dropped(_ context: CaseContext) async throws {
        let server = try await context.serve(endless, endless)
        for isRead in [false, true] {
            context.step("waiting for the head")
            try await drop(context, try context.request(server, delivery: .streamed), isRead: isRead)
            try await context.waitUntilClosed(server)
        }
    }

    private static func drop(_ context: CaseContext, _ request: HTTPRequest, isRead: Bool) async throws {
        let response = try await context.transport.send(request)
        guard isRead else { return }
        var iterator = response.body.makeAsyncIterator()
        context.expect("the first bytes", try await iterator.next() ?? Data(), is: Data("first".utf8))
    }

    static func connecting(_ context: CaseContext) async throws {
        let nobody = try FullBacklog()
        defer { withExtendedLifetime(nobody) {} }
        let url = try context.url("http://127.0.0.1:\(nobody.port)/")
        for pause in [0, 30] {
            let call = context.start(HTTPRequest(url: url))
            // Long enough for some of them to have begun. It does not matter how far they are.
            try await Task.sleep(for: .milliseconds(pause))
            call.cancel()
            context.expect("the call", await call.value, fails: .cancelled)
        }
    }

    static func upload(_ context: CaseContext) async throws {
        let hasBegun = Tally()
        let server = try await context.serve { _ in .status(200) }
        let body = HTTPBody {
            hasBegun.add(1)
            try await ManualTime(autoAdvances: false).sleep(for: .seconds(1))
            return nil
        }
        let call = context.start(try context.request(server, .post, body: body))
        try await hasBegun.wait { $0 > 0 }
        call.cancel()
        context.expect("the call", await call.value, fails: .cancelled)
        try await context.waitUntilClosed(server)
    }

    static func after(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .text("kept") }
        for _ in 0..<20 {
            let call = context.start(try context.request(server))
            let outcome = await call.value
            call.cancel()
            context.expect("the response", outcome, body: Data("kept".utf8))
        }
        context.expect("the connections", server.connectionCount, is: 1)
    }

    static func client(_ context: CaseContext) async throws {
        let server = try await context.serve(.silence, endless)
        let client = context.client(server, .init())
        for count in 1...2 {
            let call = context.start(.get("x"), over: client)
            try await server.waitForRequests(count)
            call.cancel()
            context.expect("call \(count)", await call.value, fails: .cancelled)
            try await context.waitUntilClosed(server)
        }
    }
}
