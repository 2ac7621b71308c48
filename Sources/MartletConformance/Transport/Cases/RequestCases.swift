internal import MartletEssentials

/// Requests as the server receives them.
enum RequestCases {
    static let all = [
        Case("requests.fields", "Fields are sent unchanged, with duplicates in order (RFC 9110 §5.3)", fields),
        Case(
            "requests.no-inventions", "No Content-Type, Cookie or Authorization is sent that the request does not have (RFC 9110 §8.3)",
            noInventions),
        Case("requests.methods", "Every method is sent unchanged, including unknown ones (RFC 9110 §9.1)", methods),
        Case(
            "requests.content-length", "A body of known length is sent with Content-Length, as is a POST without a body (RFC 9110 §8.6)",
            contentLength),
        Case(
            "requests.no-body", "A POST, PUT or PATCH without a body is sent with Content-Length: 0 (RFC 9110 §8.6)", noBody),
        Case("requests.get-body", "A GET with a body is sent with it (RFC 9110 §9.3.1)") { try await body($0, of: .get) },
        Case("requests.delete-body", "A DELETE with a body is sent with it (RFC 9110 §9.3.5)") { try await body($0, of: .delete) },
        Case("requests.path", "A path is sent unchanged, including escapes and dots (RFC 3986 §6)", path),
        Case("requests.fragment", "A fragment is not sent (RFC 9110 §7.1)", fragment),
        Case("requests.url-credentials", "A user and a password in a URL are rejected or not sent (RFC 9110 §4.2.4)", credentials),
        Case("requests.injection-in-value", "A field value with a line end is rejected before anything is sent (RFC 9110 §5.5)", values),
        Case("requests.injection-in-name", "A field name that is not a token is rejected before anything is sent (RFC 9110 §5.1)", names),
        Case(
            "requests.injection-in-method", "A method that is not a token is rejected before anything is sent (RFC 9110 §9.1)",
            methodNames),
        Case("requests.injection-in-url", "A line end in a URL is rejected or escaped, and never begins a line (RFC 9112 §3)", urls),
    ]

    static func fields(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        let fields: HTTPFields = [
            "X-One": "1", "x-many": "a, b", "X-Two": "zwei  drei", "X-Many": "c", "User-Agent": "test/1", "Authorization": "Bearer t",
            "Cookie": "a=1; b=2", "X-Api-Key": "k", "Referer": "http://a.example/", "Origin": "http://a.example", "Date": "today",
            "Accept": "*/*", "Accept-Language": "de", "If-None-Match": "\"1\"", "Cache-Control": "no-cache", "Idempotency-Key": "i",
        ]
        for method in [.get, .post, .put] as [HTTPMethod] {
            for delivery in BodyDelivery.both {
                let body = method == .get ? nil : HTTPBody("x")
                let request = try context.request(server, method, headers: fields, body: body, delivery: delivery)
                context.expect("\(delivery.words) \(method)", await context.exchange(request))
            }
        }
        for request in server.requests {
            for name in fields.map(\.name) {
                context.expect("\(name) of \(request.method)", request.headers.values(for: name), is: fields.values(for: name))
            }
            context.expect("Host", request.headers.values(for: .host), is: ["127.0.0.1:\(server.port)"])
        }
    }

    static func noInventions(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        for delivery in BodyDelivery.both {
            context.expect("GET", await context.exchange(try context.request(server, delivery: delivery)))
            context.expect("POST", await context.exchange(try context.request(server, .post, body: HTTPBody("a=b"), delivery: delivery)))
        }
        let names: [HTTPFieldName] = [
            .contentType, .cookie, .authorization, .proxyAuthorization, .referer, .origin, .cacheControl, "Pragma", .ifNoneMatch,
            .ifModifiedSince, .range, .expect,
        ]
        for request in server.requests {
            for name in names {
                context.expect("\(name) of \(request.method)", request.headers.values(for: name), is: [])
            }
        }
    }

    static func methods(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        let methods: [HTTPMethod] = [.get, .post, .put, .patch, .delete, .options, "PURGE", "get"]
        for method in methods { context.expect("\(method)", await context.exchange(try context.request(server, method))) }
        context.expect("the methods", server.requests.map(\.method.rawValue), is: methods.map(\.rawValue))
    }

    static func contentLength(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        let bodies: [HTTPBody?] = [nil, HTTPBody("12345"), Pattern.stream(70_000, length: 70_000), Pattern.stream(10)]
        for body in bodies { context.expect("POST", await context.exchange(try context.request(server, .post, body: body))) }
        let streams = context.options.capabilities.contains(.streamedUploads)
        let lengths = server.requests.map { $0.headers[.contentLength] ?? "none" }
        context.expect("the lengths", lengths, is: ["0", "5", "70000", streams ? "none" : "10"])
        let codings = server.requests.map { $0.headers.values(for: .transferEncoding) }
        context.expect("Transfer-Encoding", codings, is: [[], [], [], streams ? ["chunked"] : []])
    }

    static func noBody(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        for method in [.post, .put, .patch] as [HTTPMethod] {
            context.expect("\(method)", await context.exchange(try context.request(server, method)))
        }
        context.expect("the lengths", server.requests.map { $0.headers.values(for: .contentLength) }, is: [["0"], ["0"], ["0"]])
        context.expect("Transfer-Encoding", server.requests.map { $0.headers.values(for: .transferEncoding) }, is: [[], [], []])
    }

    static func body(_ context: CaseContext, of method: HTTPMethod) async throws {
        let server = try await context.serve(.text("done"))
        let request = try context.request(server, method, body: HTTPBody("the content"))
        context.expect("the response", await context.exchange(request), body: Data("done".utf8))
        context.expect("the method", server.requests.first?.method.rawValue ?? "none", is: method.rawValue)
        context.expect("the body", server.requests.first?.body ?? Data(), is: Data("the content".utf8))
    }

    static func path(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        let paths = ["a%2Fb/../c", "./x//y/", "%7Eu/%7e", "q?a=1+2%20&b=%2B/../?", "", "semi;colon:@!$&'()*+,="]
        for path in paths { context.expect("/\(path)", await context.exchange(try context.request(server, .get, path))) }
        context.expect("the targets", server.requests.map(\.target), is: paths.map { "/" + $0 })
    }

    static func fragment(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        for path in ["a#b", "a?c=1#b", "#b?c"] {
            context.expect("/\(path)", await context.exchange(try context.request(server, .get, path)))
        }
        context.expect("the targets", server.requests.map(\.target), is: ["/a", "/a?c=1", "/"])
    }

    static func credentials(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        let url = try context.url("http://user:pass@127.0.0.1:\(server.port)/")
        switch await context.exchange(HTTPRequest(url: url)) {
        case .answer: context.expect("Authorization", server.requests.map { $0.headers.values(for: .authorization) }, is: [[]])
        case let outcome: context.expect("the request", outcome, fails: .invalidURL.or(.invalidRequest))
        }
    }

    static func values(_ context: CaseContext) async throws {
        let values = ["a\r\nX-Injected: 1", "a\nX-Injected: 1", "a\rX-Injected: 1", "a\u{0}b"]
        try await refused(context, values.map { value in { try context.request($0, headers: ["X-Value": value]) } })
    }

    static func names(_ context: CaseContext) async throws {
        let names = ["X-Injected: 1\r\nX", "X\nY", "X Y", "X:", "", "X\u{0}"]
        try await refused(context, names.map { name in { try context.request($0, headers: [HTTPFieldName(name): "1"]) } })
    }

    static func methodNames(_ context: CaseContext) async throws {
        let methods = ["GET / HTTP/1.1\r\nX-Injected: 1\r\n\r\nGET", "GET\r\n", "A B", ""]
        try await refused(context, methods.map { method in { try context.request($0, HTTPMethod(rawValue: method)) } })
    }

    private static func refused(_ context: CaseContext, _ requests: [(MockServer) throws -> HTTPRequest]) async throws {
        let server = try await context.serve { _ in .status(200) }
        for (index, make) in requests.enumerated() {
            context.expect("request \(index + 1)", await context.exchange(try make(server)), fails: .invalidRequest)
        }
        context.expect("the server's connections", server.connectionCount, is: 0)
    }

    static func urls(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        var answers = 0
        for end in ["\r\n", "\n", "\r", " HTTP/1.1\r\n"] {
            // Most of these are invalid URLs, or are escaped when the URL is created.
            guard let url = URL(string: server.url.absoluteString + "a\(end)X-Injected: 1") else { continue }
            let outcome = await context.exchange(HTTPRequest(url: url))
            if outcome.answer == nil {
                context.expect("the request", outcome, fails: .invalidURL.or(.invalidRequest))
            } else {
                answers += 1
            }
        }
        context.expect("requests that were received", server.requests.count, is: answers)
        let injected = server.requests.filter { $0.headers.contains("X-Injected") || !$0.target.hasPrefix("/a%") }
        context.expect("requests with an injected line", injected.count, is: 0)
    }
}
