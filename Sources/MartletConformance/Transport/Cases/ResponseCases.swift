internal import MartletEssentials

/// The framing of responses.
enum ResponseCases {
    static let all = [
        Case("answers.interim", "Interim responses (100, 102, 103) and their fields are dropped (RFC 9110 §15.2)", interim),
        Case("answers.head", "A response to HEAD has no body, whatever its Content-Length (RFC 9110 §9.3.2)", head),
        Case("answers.no-content", "A 204 or 304 has no body, whatever its Content-Length (RFC 9110 §6.4.1)", noContent),
        Case("answers.trailers", "Trailers are returned apart from the fields of the head (RFC 9110 §6.5)", trailers),
        Case("answers.until-close", "A body without a length ends with the connection (RFC 9112 §6.3)", untilClose),
        Case("answers.chunked", "Chunks are joined, and their extensions are ignored (RFC 9112 §7.1)", chunked),
        Case("answers.chunked-length", "Chunks override a Content-Length (RFC 9112 §6.3)", chunkedLength),
        Case(
            "answers.content-length",
            "An invalid or contradictory Content-Length is an error, and two equal ones count as one (RFC 9112 §6.3)", lengths),
        Case("answers.framing", "A transfer coding or framing field that can be misread is an error (RFC 9112 §5, §6.1)", framing),
        Case("answers.status-line", "A response that does not begin with HTTP/1.x is an error, and so is an unrequested 101", statusLine),
        Case("answers.in-memory", "A buffered response has its body in memory", inMemory),
        Case("answers.head-first", "A streamed response is returned with its head, before its body", headFirst),
    ]

    static func interim(_ context: CaseContext) async throws {
        let final = MockReply.text("ok", status: 201, headers: ["X-Final": "1"])
        let reply = final.precededBy(100).precededBy(102).precededBy(103, headers: ["Link": "</a.css>; rel=preload"]).precededBy(103)
        let server = try await context.serve { _ in reply }
        for delivery in BodyDelivery.both {
            for method in [HTTPMethod.get, .post] {
                let body = method == .post ? HTTPBody("x") : nil
                let outcome = await context.exchange(try context.request(server, method, body: body, delivery: delivery))
                let answer = context.expect("\(delivery.words) \(method)", outcome, status: 201, body: Data("ok".utf8))
                context.expect("\(delivery.words) \(method), the Link of a 103", answer?.headers.values(for: "Link") ?? [], is: [])
            }
        }
    }

    static func head(_ context: CaseContext) async throws {
        let server = try await context.serve { $0.method == .head ? .data(Data(count: 1234)) : .text("next") }
        for delivery in BodyDelivery.both {
            let outcome = await context.exchange(try context.request(server, .head, delivery: delivery))
            let answer = context.expect(delivery.words, outcome, body: Data())
            if let answer { context.expect("\(delivery.words), Content-Length", answer.headers[.contentLength] ?? "none", is: "1234") }
            context.expect("the next GET", await context.exchange(try context.request(server)), body: Data("next".utf8))
        }
    }

    static func noContent(_ context: CaseContext) async throws {
        for status in [204, 304] as [HTTPStatus] {
            let server = try await context.serve {
                $0.path == "/next" ? .text("next") : .status(status, headers: ["Content-Length": "5000"])
            }
            for delivery in BodyDelivery.both {
                let outcome = await context.exchange(try context.request(server, delivery: delivery))
                context.expect("\(delivery.words) \(status.rawValue)", outcome, status: status, body: Data())
                context.expect("the next GET", await context.exchange(try context.request(server, .get, "next")), body: Data("next".utf8))
            }
        }
    }

    static func trailers(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in
            .stream("one", "two", headers: ["X-Early": "e"]).trailers(["X-Sum": "7", "X-Sum": "8", "X-Early": "late"])
        }
        for delivery in BodyDelivery.both {
            let outcome = await context.exchange(try context.request(server, delivery: delivery))
            guard let answer = context.expect(delivery.words, outcome, body: Data("onetwo".utf8)) else { continue }
            context.expect("\(delivery.words), X-Sum in the head", answer.headers.values(for: "X-Sum"), is: [])
            context.expect("\(delivery.words), X-Early in the head", answer.headers.values(for: "X-Early"), is: ["e"])
            guard delivery == .buffered else { continue }
            let isGiven = context.options.capabilities.contains(.trailers)
            context.expect("the trailers", answer.trailers.values(for: "X-Sum"), is: isGiven ? ["7", "8"] : [])
        }
    }

    static func untilClose(_ context: CaseContext) async throws {
        let heads = ["HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"]
        for head in heads {
            let server = try await context.serve { _ in .raw(head + "all of it") }
            for delivery in BodyDelivery.both {
                let outcome = await context.exchange(try context.request(server, delivery: delivery))
                context.expect("\(delivery.words), \(head.prefix(8))", outcome, body: Data("all of it".utf8))
            }
        }
    }

    static func chunked(_ context: CaseContext) async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try await context.serve { _ in .raw(head + "3;x=y\r\none\r\n003\r\ntwo\r\nA\r\n3456789012\r\n0;z\r\n\r\n") }
        for delivery in BodyDelivery.both {
            let outcome = await context.exchange(try context.request(server, delivery: delivery))
            let answer = context.expect(delivery.words, outcome, body: Data("onetwo3456789012".utf8))
            context.expect("\(delivery.words), Content-Length", answer?.headers.values(for: .contentLength) ?? [], is: [])
        }
    }

    static func chunkedLength(_ context: CaseContext) async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 7\r\n\r\n"
        let server = try await context.serve { _ in .raw(head + "3\r\nabc\r\n0\r\n\r\n") }
        for delivery in BodyDelivery.both {
            let outcome = await context.exchange(try context.request(server, delivery: delivery))
            context.expect(delivery.words, outcome, body: Data("abc".utf8))
        }
    }

    static func lengths(_ context: CaseContext) async throws {
        for delivery in BodyDelivery.both {
            for lines in ["3x", "-3", "99999999999999999999", "3\r\nContent-Length: 5"] {
                let server = try await context.serve(.raw("HTTP/1.1 200 OK\r\nContent-Length: \(lines)\r\n\r\nabcde"))
                let outcome = await context.exchange(try context.request(server, delivery: delivery))
                let subject = "\(delivery.words), Content-Length: \(lines.replacing("\r\n", with: ", "))"
                context.expect(subject, outcome, fails: .invalidResponse)
            }
            let server = try await context.serve(.raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"))
            let outcome = await context.exchange(try context.request(server, delivery: delivery))
            context.expect("\(delivery.words), two equal lengths", outcome, body: Data("abc".utf8))
        }
    }

    static func framing(_ context: CaseContext) async throws {
        let lines = [
            "Transfer-Encoding : chunked", "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: xchunked",
            "Content-Length : 9",
        ]
        for delivery in BodyDelivery.both {
            for line in lines {
                let head = "HTTP/1.1 200 OK\r\nX-A: 1\r\n\(line)\r\n\r\n"
                let reply = MockReply.raw(head + "2\r\nok\r\n0\r\n\r\n")
                let outcome = await context.exchange(try context.request(try await context.serve(reply), delivery: delivery))
                context.expect("\(delivery.words), \(line.replacing("\r\n", with: "⏎"))", outcome, fails: .invalidResponse)
            }
        }
    }

    static func statusLine(_ context: CaseContext) async throws {
        for delivery in BodyDelivery.both {
            for line in ["http/1.1 200 OK", "HTTP/1.1 abc", "ICY 200 OK", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x"] {
                let server = try await context.serve(.raw("\(line)\r\nContent-Length: 2\r\n\r\nok"))
                let outcome = await context.exchange(try context.request(server, delivery: delivery))
                context.expect("\(delivery.words), \(line.replacing("\r\n", with: "⏎"))", outcome, fails: .invalidResponse)
            }
        }
    }

    static func inMemory(_ context: CaseContext) async throws {
        let server = try await context.serve(.text("whole"), .stream("in ", "pieces"), .status(204))
        for expected in ["whole", "in pieces", ""] {
            context.step("waiting for the response")
            let body = try await context.transport.send(try context.request(server)).body
            context.expect("the bytes in memory", body.buffered ?? Data("none".utf8), is: Data(expected.utf8))
            context.expect("the length", body.length ?? -1, is: Int64(expected.utf8.count))
        }
    }

    static func headFirst(_ context: CaseContext) async throws {
        let gate = Tally()
        let server = try await context.serve { _ in
            .stream(headers: ["Content-Length": "6"]) {
                HTTPBody {
                    try await gate.wait { $0 > 0 }
                    // At the second read of the pipe, six bytes have already been sent.
                    guard gate.count < 2 else { return nil }
                    gate.add(1)
                    return Data("abcdef".utf8)
                }
            }
        }
        context.step("waiting for the head, for which the server waits too")
        let response = try await context.transport.send(try context.request(server, delivery: .streamed))
        context.expect("the status", response.status.rawValue, is: 200)
        context.expect("the length", response.body.length ?? -1, is: 6)
        gate.add(1)
        context.step("reading the body")
        context.expect("the body", try await response.body.collect(), is: Data("abcdef".utf8))
    }
}
