internal import MartletEssentials
internal import MartletSystem

/// Requests and responses that are sent at the same time, and request bodies with trailers: what an interface needs that streams both ways.
enum DuplexCases {
    static let all = [
        Case("duplex.echo", "Each piece of a response is received before the next piece of the request exists (RFC 9112 §9.3)", echo),
        Case(
            "duplex.speaks-first", "A response is received before the request's body has a byte (RFC 9112 §9.3)", speaksFirst),
        Case("duplex.failure", "A stream that fails after the head of the response ends the response's body with its error", failure),
        Case(
            "duplex.restart", "A stream that can be read again is sent again from its first byte when a redirect asks (RFC 9110 §15.4.8)",
            restart),
        Case("trailers.request", "The trailers of a request are sent after its body, whatever its kind (RFC 9110 §6.5)", request),
        Case("trailers.both", "Trailers are sent and received in one exchange (RFC 9110 §6.5)", both),
        Case(
            "trailers.forbidden", "Forbidden trailers are not sent, and the request looks incomplete (RFC 9110 §6.5.1)",
            forbidden),
    ]

    private static let pieces = ["one ", "two ", "three ", "four"]

    /// A stream of pieces. With full duplex, each piece exists only when as many bytes were received as were sent before it, and `head`.
    private static func talk(_ context: CaseContext, after head: Int = 0, received: Tally) -> HTTPBody {
        let waits = context.options.capabilities.contains(.duplex)
        let sent = Locked((next: 0, bytes: head))
        return HTTPBody {
            let (piece, wanted) = sent.withLock { state -> (Data?, Int) in
                guard state.next < pieces.count else { return (nil, state.bytes) }
                defer { state = (state.next + 1, state.bytes + pieces[state.next].utf8.count) }
                return (Data(pieces[state.next].utf8), state.bytes)
            }
            if waits, piece != nil { try await received.wait { $0 >= wanted } }
            return piece
        }
    }

    static func echo(_ context: CaseContext) async throws { try await converse(context, greeting: "") }

    static func speaksFirst(_ context: CaseContext) async throws { try await converse(context, greeting: "welcome ") }

    private static func converse(_ context: CaseContext, greeting: String) async throws {
        let server = try await context.serve(.text(greeting).echoingBody(), .text("next"))
        let received = Tally()
        let request = try context.request(
            server, .post, body: talk(context, after: greeting.utf8.count, received: received), delivery: .streamed)
        context.step("waiting for the head")
        let response = try await context.transport.send(request)
        context.step("reading what the server sends back")
        var body = Data()
        for try await chunk in response.body {
            body.append(chunk)
            received.add(chunk.count)
        }
        let text = pieces.joined()
        context.expect("the response", body, is: Data((greeting + text).utf8))
        context.expect("the request", server.requests.first?.body ?? Data(), is: Data(text.utf8))
        context.expect("the next exchange", await context.exchange(try context.request(server)), body: Data("next".utf8))
    }

    static func failure(_ context: CaseContext) async throws {
        let server = try await context.serve(.text("welcome").echoingBody())
        let received = Tally()
        let waits = context.options.capabilities.contains(.duplex)
        let body = HTTPBody {
            if waits { try await received.wait { $0 >= 7 } }
            throw HTTPError.encodingFailed("the source is gone")
        }
        let request = try context.request(server, .post, body: body, delivery: .streamed)
        context.step("waiting for the response")
        let outcome = await Outcome.of { () throws(HTTPError) in
            let response = try await context.transport.send(request)
            var iterator = response.body.makeAsyncIterator()
            while let chunk = try await iterator.next() { received.add(chunk.count) }
            return Data()
        }
        context.expect("the exchange", outcome, fails: .encodingFailed)
        context.expect("the complete requests", server.requests.count, is: 0)
        try await context.waitUntilClosed(server)
    }

    static func restart(_ context: CaseContext) async throws {
        let server = try await context.serve(.status(307, headers: ["Location": "/second"]), .text("done"))
        let made = Tally(), summed = Tally()
        var body = HTTPBody(makeReader: { () throws(HTTPError) in
            made.add(1)
            return try Pattern.stream(100_000).reader()
        })
        let sendsTrailers = context.options.capabilities.contains(.requestTrailers)
        if sendsTrailers {
            body = body.trailers {
                summed.add(1)
                return ["X-Sum": "\(summed.count)"]
            }
        }
        let call = context.start(.post("first", body: .stream(body)), over: context.client(server, .init()))
        context.expect("the call", await call.value, body: Data("done".utf8))
        context.expect("the targets", server.requests.map(\.target), is: ["/first", "/second"])
        context.expect("the readings", made.count >= 2, "2 or more", seen: "\(made.count)")
        context.expect("deliveries with another body", server.requests.compactMap { Pattern.fault($0.body, of: 100_000) }, is: [])
        let sums = server.requests.map { $0.trailers["X-Sum"] ?? "none" }
        context.expect("the trailers", sums, is: sendsTrailers ? ["1", "2"] : ["none", "none"])
    }

    // MARK: Trailers

    private static let trailers: HTTPFields = ["X-Sum": "7", "X-Empty": "", "X-Sum": "8", "X-Text": "gr\u{fc}n"]

    static func request(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Pattern.data(70_000).write(to: file)
        let bodies: [(HTTPBody, Int)] = [
            (HTTPBody("12345"), 5), (.empty, 0), (Pattern.stream(70_000), 70_000), (Pattern.stream(70_000, length: 70_000), 70_000),
            (try HTTPBody(file: file), 70_000),
        ]
        let sends = context.options.capabilities.contains(.requestTrailers)
        for (body, _) in bodies {
            let outcome = await context.exchange(try context.request(server, .post, body: body.trailers { trailers }))
            if sends { context.expect("POST, \(body)", outcome) } else { context.expect("POST, \(body)", outcome, fails: .invalidRequest) }
        }
        guard sends else { return context.expect("the server's connections", server.connectionCount, is: 0) }
        context.expect("the lengths", server.requests.map(\.body.count), is: bodies.map(\.1))
        for name in ["X-Sum", "X-Empty", "X-Text"] as [HTTPFieldName] {
            let received = server.requests.map { $0.trailers.values(for: name) }
            context.expect("\(name)", received, is: bodies.map { _ in trailers.values(for: name) })
        }
        let later = await context.exchange(try context.request(server, .post, body: Pattern.stream(10)))
        context.expect("a later POST", later)
        context.expect("its trailers", server.requests.last?.trailers.count ?? -1, is: 0)
    }

    static func both(_ context: CaseContext) async throws {
        guard context.options.capabilities.contains(.requestTrailers) else { return try await request(context) }
        let server = try await context.serve(.text("").echoingBody())
        let body = HTTPBody("the content").trailers { trailers }
        let answer = context.expect(
            "the exchange", await context.exchange(try context.request(server, .post, body: body)), body: Data("the content".utf8))
        let isGiven = context.options.capabilities.contains(.trailers)
        context.expect("the trailers", answer?.trailers.values(for: "X-Sum") ?? [], is: isGiven ? ["7", "8"] : [])
    }

    static func forbidden(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        for fields in [["Content-Length": "3"], ["Authorization": "Bearer t"], ["X\r\nY": "1"], ["X-Value": "a\r\nb"]] as [HTTPFields] {
            let body = HTTPBody("the content").trailers { fields }
            let outcome = await context.exchange(try context.request(server, .post, body: body))
            context.expect("\(fields.first?.name.rawName.debugDescription ?? "")", outcome, fails: .invalidRequest)
        }
        context.expect("the complete requests", server.requests.count, is: 0)
    }
}
