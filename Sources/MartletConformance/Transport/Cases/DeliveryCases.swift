internal import MartletEssentials
internal import MartletSystem

/// The number of deliveries of a request whose kept-alive connection breaks, counted by the server.
enum DeliveryCases {
    static let all = [
        Case("delivery.get", "A GET whose kept-alive connection closes is sent again, or is a lost connection (RFC 9110 §9.2.2)", get),
        Case(
            "delivery.put",
            "A PUT whose kept-alive connection closes is sent again with its whole body, or is a lost connection (RFC 9110 §9.2.2)", put),
        Case("delivery.post", "A POST whose kept-alive connection closes is delivered once (RFC 9110 §9.2.2)") {
            try await once($0, body: { HTTPBody("the content") }, is: "the content")
        },
        Case("delivery.post-empty", "A POST without a body whose kept-alive connection closes is delivered once (RFC 9110 §9.2.2)") {
            try await once($0, body: { nil }, is: "")
        },
        Case(
            "delivery.post-stream",
            "A POST of a stream whose kept-alive connection closes is delivered once, without losing bytes (RFC 9110 §9.2.2)"
        ) {
            try await once($0, body: { Pattern.stream(1000) }, is: nil)
        },
        Case("delivery.post-file", "A POST of a file whose kept-alive connection closes is delivered once (RFC 9110 §9.2.2)", postFile),
        Case("delivery.patch", "A PATCH whose kept-alive connection closes is delivered once (RFC 9110 §9.2.2)") {
            try await once($0, method: .patch, body: { HTTPBody("the content") }, is: "the content")
        },
        Case("delivery.unknown", "A request with an unknown method whose kept-alive connection closes is delivered once (RFC 9110 §9.2.2)")
        {
            try await once($0, method: "LOCK", body: { HTTPBody("the content") }, is: "the content")
        },
        Case("delivery.each", "Without a failure, every request is delivered once, whatever its method and the kind of its body", each),
        Case("delivery.stale", "A connection that the server closed while it was idle loses no response and repeats no POST", stale),
    ]

    /// A server that closes a reused connection when it has read the next request completely.
    private static func server(_ context: CaseContext, isReset: Bool) async throws -> MockServer {
        let used = Locked<Set<Int>>([])
        return try await context.serve { request in
            guard !used.withLock({ $0.insert(request.connection).inserted }) else { return .status(200) }
            return isReset ? .reset : .disconnect
        }
    }

    /// Sends a request over a kept-alive connection. Returns its outcome, and the requests that the server received.
    private static func second(
        _ context: CaseContext, isReset: Bool, _ method: HTTPMethod, _ body: HTTPBody?, _ delivery: BodyDelivery
    ) async throws -> (Outcome, [RecordedRequest]) {
        let server = try await server(context, isReset: isReset)
        context.expect("the first request", await context.exchange(try context.request(server, .get, "first")))
        let outcome = await context.exchange(try context.request(server, method, "second", body: body, delivery: delivery))
        return (outcome, server.requests.filter { $0.path == "/second" })
    }

    private static var ways: [(isReset: Bool, BodyDelivery)] {
        [false, true].flatMap { isReset in BodyDelivery.both.map { (isReset, $0) } }
    }

    private static func answeredOrLost(_ context: CaseContext, _ subject: String, _ outcome: Outcome) {
        if let answer = outcome.answer {
            context.expect("\(subject), the status", answer.status.rawValue, is: 200)
        } else {
            context.expect(subject, outcome, fails: .connectionLost)
        }
    }

    static func get(_ context: CaseContext) async throws {
        for (isReset, delivery) in ways {
            let (outcome, received) = try await second(context, isReset: isReset, .get, nil, delivery)
            answeredOrLost(context, isReset ? "reset" : "closed", outcome)
            context.expect("the deliveries", (1...2).contains(received.count), "1 or 2", seen: "\(received.count)")
        }
    }

    static func put(_ context: CaseContext) async throws {
        for (isReset, delivery) in ways {
            let (outcome, received) = try await second(context, isReset: isReset, .put, HTTPBody(Pattern.data(200_000)), delivery)
            answeredOrLost(context, isReset ? "reset" : "closed", outcome)
            context.expect("the deliveries", (1...2).contains(received.count), "1 or 2", seen: "\(received.count)")
            let faults = received.compactMap { Pattern.fault($0.body, of: 200_000) }
            context.expect("deliveries with another body", faults, is: [])
        }
    }

    static func once(_ context: CaseContext, method: HTTPMethod = .post, body: () throws -> HTTPBody?, is content: String?) async throws {
        for (isReset, delivery) in ways {
            let (outcome, received) = try await second(context, isReset: isReset, method, try body(), delivery)
            let subject = "\(delivery.words), \(isReset ? "reset" : "closed")"
            answeredOrLost(context, subject, outcome)
            context.expect("\(subject), the deliveries", received.count, is: 1)
            let bytes = content.map { Data($0.utf8) } ?? Pattern.data(1000)
            for request in received { context.expect("\(subject), the body", request.body, is: bytes) }
        }
    }

    static func postFile(_ context: CaseContext) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try Data("the content".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await once(context, body: { try HTTPBody(file: file) }, is: "the content")
    }

    static func each(_ context: CaseContext) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try Pattern.data(1000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try await context.serve { _ in .status(200) }
        let bodies: [(words: String, make: () throws -> HTTPBody?)] = [
            ("nothing", { nil }), ("bytes", { HTTPBody(Pattern.data(1000)) }), ("a file", { try HTTPBody(file: file) }),
            ("a stream", { Pattern.stream(1000) }),
        ]
        for method in [.post, .put, .patch, .options] as [HTTPMethod] {
            for body in bodies {
                for delivery in BodyDelivery.both {
                    let before = server.requests.count
                    let headers: HTTPFields = delivery == .streamed ? [.idempotencyKey: "k", .contentType: "application/json"] : [:]
                    let subject = "\(delivery.words) \(method) with \(body.words)"
                    let request = try context.request(server, method, headers: headers, body: try body.make(), delivery: delivery)
                    context.expect(subject, await context.exchange(request))
                    let received = server.requests.dropFirst(before).map(\.body)
                    context.expect("\(subject), the bodies received", received, is: [body.words == "nothing" ? Data() : Pattern.data(1000)])
                }
            }
        }
    }

    static func stale(_ context: CaseContext) async throws {
        // The server closes the connection after the complete response, without announcing that.
        let server = try await context.serve { _ in .text("ok").disconnecting(afterBodyBytes: 2) }
        for round in 1...5 {
            for method in [HTTPMethod.get, .post] {
                let request = try context.request(server, method, "\(round)", body: method == .post ? HTTPBody("x") : nil)
                answeredOrLost(context, "\(method) \(round)", await context.exchange(request))
                try await context.waitUntilClosed(server)
            }
        }
        let posts = Dictionary(grouping: server.requests.filter { $0.method == .post }, by: \.path).values
        context.expect("POSTs that were delivered more than once", posts.count { $0.count > 1 }, is: 0)
    }
}
