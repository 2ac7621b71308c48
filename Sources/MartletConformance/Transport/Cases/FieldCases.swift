internal import MartletEssentials

/// The fields of a response.
enum FieldCases {
    static let all = [
        Case(
            "fields.duplicates", "Lines with the same name stay separate and in order, whatever the case of the name (RFC 9110 §5.3)",
            duplicates),
        Case("fields.set-cookie", "Set-Cookie lines stay separate, with their commas (RFC 6265 §3)", setCookie),
        Case("fields.challenges", "Several challenges stay separate, whatever the status (RFC 9110 §11.6.1)", challenges),
        Case("fields.all", "Every field of a response is returned, including fields that a library uses itself", every),
        Case("fields.no-space", "A line without a space after the colon is accepted (RFC 9112 §5)", noSpace),
        Case("fields.no-reason", "A status line without a reason is accepted (RFC 9112 §4)", noReason),
        Case("fields.latin-1", "Bytes outside ASCII are returned unchanged (RFC 9110 §5.5)", latin1),
        Case("fields.empty", "A field with an empty value is returned (RFC 9110 §5.5)", empty),
        Case("fields.folded", "A folded line is joined, or the response is an error (RFC 9112 §5.2)", folded),
        Case(
            "fields.folded-first", "A folded first line is an error, also after a response of another server (RFC 9112 §2.2)", foldedFirst),
        Case(
            "fields.carriage-return", "A bare CR or NUL is not returned in a value and does not begin a line (RFC 9110 §5.5)",
            carriageReturn),
        Case("fields.large-head", "A head of 200 KB in lines of 1 KB is accepted, because the limit is 256 KiB", largeHead),
        Case("fields.large-line", "A line of 200 KB is accepted, or is an error for a head that is too large", largeLine),
        Case("fields.head-limit", "A head over the request's limit is an error that names the limit; a smaller one is accepted", headLimit),
        Case(
            "fields.count-limit", "More fields than the request's limit is an error that names the limit; exactly as many are accepted",
            countLimit),
    ]

    private static func answers(
        _ context: CaseContext, _ head: Data, _ look: (Outcome.Answer, String) -> Void
    ) async throws {
        let server = try await context.serve { _ in .raw(head + Data("Content-Length: 2\r\n\r\nok".utf8)) }
        for delivery in BodyDelivery.both {
            let outcome = await context.exchange(try context.request(server, delivery: delivery))
            if let answer = context.expect(delivery.words, outcome, body: Data("ok".utf8)) { look(answer, delivery.words) }
        }
    }

    private static func answers(_ context: CaseContext, _ lines: String, _ look: (Outcome.Answer, String) -> Void) async throws {
        try await answers(context, Data("HTTP/1.1 200 OK\r\n\(lines)\r\n".utf8), look)
    }

    static func duplicates(_ context: CaseContext) async throws {
        try await answers(context, "X-A: 1\r\nX-B: b\r\nX-A: 2, 3\r\nx-a: 4") { answer, words in
            context.expect("\(words), X-A", answer.headers.values(for: "X-A"), is: ["1", "2, 3", "4"])
            context.expect("\(words), X-B", answer.headers.values(for: "X-B"), is: ["b"])
        }
    }

    /// Checks lines with one name, in responses with several statuses and both deliveries.
    private static func apart(_ context: CaseContext, _ name: HTTPFieldName, _ values: [String]) async throws {
        for status in [200, 401, 404, 500] as [HTTPStatus] {
            let lines = values.enumerated().map { "\($0.offset == 1 ? name.canonicalName : name.rawName): \($0.element)" }
            let head = "HTTP/1.1 \(status.rawValue) X\r\n\(lines.joined(separator: "\r\n"))\r\nContent-Length: 2\r\n\r\nok"
            let server = try await context.serve { _ in .raw(head) }
            for delivery in BodyDelivery.both {
                let outcome = await context.exchange(try context.request(server, delivery: delivery))
                let subject = "\(delivery.words), \(status.rawValue)"
                let answer = context.expect(subject, outcome, status: status, body: Data("ok".utf8))
                if let answer { context.expect("\(subject), \(name)", answer.headers.values(for: name), is: values) }
            }
        }
    }

    static func setCookie(_ context: CaseContext) async throws {
        try await apart(context, "Set-Cookie", ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2", "a=3"])
        try await apart(context, "Set-Cookie", ["a=1; Path=/", "b=2"])
    }

    static func challenges(_ context: CaseContext) async throws {
        try await apart(context, "WWW-Authenticate", ["Bearer realm=\"a\", error=\"invalid_token\"", "Basic realm=\"b, c\"", "Negotiate"])
    }

    static func every(_ context: CaseContext) async throws {
        let names = [
            "Date", "Server", "Age", "Via", "ETag", "Expires", "Last-Modified", "Cache-Control", "Vary", "Warning", "Link",
            "Content-Language",
            "Content-Location", "Content-Disposition", "Accept-Ranges", "Allow", "Retry-After", "Strict-Transport-Security", "Alt-Svc",
            "P3P",
            "X-Frame-Options", "X-Request-ID", "Access-Control-Allow-Origin",
        ]
        let fields = names.map { ($0, "v-\($0)") } + (0..<80).map { ("X-\($0)", "\($0)") }
        try await answers(context, fields.map { "\($0.0): \($0.1)" }.joined(separator: "\r\n")) { answer, words in
            let missing = fields.filter { answer.headers.values(for: HTTPFieldName($0.0)) != [$0.1] }.map(\.0)
            context.expect("\(words), fields that are missing or different", missing, is: [])
        }
    }

    static func noSpace(_ context: CaseContext) async throws {
        try await answers(context, "X-A:1\r\nX-B:\t2 \t\r\nX-C:  3") { answer, words in
            context.expect(
                "\(words), the values", ["X-A", "X-B", "X-C"].map { answer.headers[HTTPFieldName($0)] ?? "none" }, is: ["1", "2", "3"])
        }
    }

    static func noReason(_ context: CaseContext) async throws {
        for line in ["HTTP/1.1 200", "HTTP/1.1 200 "] {
            try await answers(context, Data("\(line)\r\nX-A: 1\r\n".utf8)) { answer, words in
                context.expect("\(words), X-A", answer.headers["X-A"] ?? "none", is: "1")
            }
        }
    }

    static func latin1(_ context: CaseContext) async throws {
        let head = Data("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xE9] + Data("\r\nX-After: 1\r\n".utf8)
        try await answers(context, head) { answer, words in
            context.expect("\(words), the bytes", answer.headers.bytes(for: "X-Name"), is: [Array("caf".utf8) + [0xE9]])
            context.expect("\(words), the text", answer.headers["X-Name"] ?? "none", is: "café")
            context.expect("\(words), the next line", answer.headers["X-After"] ?? "none", is: "1")
        }
    }

    static func empty(_ context: CaseContext) async throws {
        try await answers(context, "X-A:\r\nX-B: \r\nX-C: 3") { answer, words in
            let values = ["X-A", "X-B", "X-C"].map { answer.headers.values(for: HTTPFieldName($0)) }
            context.expect("\(words), the values", values, is: [[""], [""], ["3"]])
        }
    }

    static func folded(_ context: CaseContext) async throws {
        let server = try await context.serve(.raw("HTTP/1.1 200 OK\r\nX-A: one\r\n\t two\r\nX-B: 2\r\nContent-Length: 0\r\n\r\n"))
        switch await context.exchange(try context.request(server)) {
        case .answer(let answer):
            let words = answer.headers["X-A"]?.split(separator: " ").joined(separator: " ") ?? "none"
            context.expect("X-A", words, is: "one two")
            context.expect("X-B", answer.headers["X-B"] ?? "none", is: "2")
        case let outcome: context.expect("the response", outcome, fails: .invalidResponse)
        }
    }

    static func foldedFirst(_ context: CaseContext) async throws {
        let trusted = try await context.serve { _ in .text("ok", headers: ["X-A": "1"]) }
        for blank in ["\t", " "] {
            let server = try await context.serve { _ in .raw("HTTP/1.1 200 OK\r\n\(blank)X-A: 1\r\nContent-Length: 2\r\n\r\nok") }
            for delivery in BodyDelivery.both {
                context.expect("the other server", await context.exchange(try context.request(trusted)), body: Data("ok".utf8))
                for number in 1...2 {
                    let outcome = await context.exchange(try context.request(server, delivery: delivery))
                    context.expect("\(delivery.words), response \(number)", outcome, fails: .invalidResponse)
                }
            }
        }
    }

    static func carriageReturn(_ context: CaseContext) async throws {
        for bad in ["\r", "\u{0}"] {
            let server = try await context.serve(.raw("HTTP/1.1 200 OK\r\nX-A: a\(bad)Set-Cookie: b=1\r\nContent-Length: 0\r\n\r\n"))
            switch await context.exchange(try context.request(server)) {
            case .answer(let answer):
                context.expect(
                    "lines that would be invalid in a request", answer.headers.firstInvalidLine?.name.rawName ?? "none", is: "none")
                context.expect("a Set-Cookie that was part of a value", answer.headers.values(for: .setCookie), is: [])
            case let outcome: context.expect("the response", outcome, fails: .invalidResponse)
            }
        }
    }

    static func largeHead(_ context: CaseContext) async throws {
        let line = String(repeating: "x", count: 990)
        try await answers(context, (0..<200).map { "X-\($0): \(line)" }.joined(separator: "\r\n")) { answer, words in
            let count = (0..<200).count { answer.headers[HTTPFieldName("X-\($0)")] == line }
            context.expect("\(words), complete lines", count, is: 200)
        }
    }

    static func largeLine(_ context: CaseContext) async throws {
        let value = String(repeating: "x", count: 200_000)
        let server = try await context.serve { _ in .raw("HTTP/1.1 200 OK\r\nX-Large: \(value)\r\nContent-Length: 0\r\n\r\n") }
        for delivery in BodyDelivery.both {
            switch await context.exchange(try context.request(server, delivery: delivery)) {
            case .answer(let answer):
                context.expect("\(delivery.words), the value's length", answer.headers["X-Large"]?.count ?? 0, is: 200_000)
            case let outcome: context.expect(delivery.words, outcome, fails: .tooLarge(.head, limit: ResponseLimits().headBytes))
            }
        }
    }

    static func countLimit(_ context: CaseContext) async throws {
        let lines = (0..<19).map { "X-\($0): x" }
        try await limit(context, lines, refusing: 19, taking: 20, .tooLarge(.fields, limit: 19)) { $0.fieldCount = $1 }
    }

    static func headLimit(_ context: CaseContext) async throws {
        let lines = (0..<10).map { "X-\($0): " + String(repeating: "x", count: 100) }
        try await limit(context, lines, refusing: 1000, taking: 1500, .tooLarge(.head, limit: 1000)) { $0.headBytes = $1 }
    }

    /// Checks that a head with these lines is rejected at one limit and accepted at the other.
    private static func limit(
        _ context: CaseContext, _ lines: [String], refusing: Int, taking: Int, _ failure: ExpectedError,
        _ set: (inout ResponseLimits, Int) -> Void
    ) async throws {
        let head = lines.joined(separator: "\r\n")
        let server = try await context.serve { _ in .raw("HTTP/1.1 200 OK\r\n\(head)\r\nContent-Length: 0\r\n\r\n") }
        for delivery in BodyDelivery.both {
            for limit in [refusing, taking] {
                var request = try context.request(server, delivery: delivery)
                set(&request.context.limits, limit)
                let outcome = await context.exchange(request)
                let subject = "\(delivery.words), limit \(limit)"
                if limit == refusing {
                    context.expect(subject, outcome, fails: failure)
                } else {
                    context.expect(subject, outcome)
                }
            }
        }
    }
}
