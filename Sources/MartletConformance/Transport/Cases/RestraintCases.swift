internal import MartletEssentials

/// The tasks that a transport leaves to the client: it performs exactly one exchange.
enum RestraintCases {
    static let all = [
        Case("restraint.redirects", "A redirect is not followed but returned, with its Location and its body (RFC 9110 §15.4)", redirects),
        Case("restraint.no-location", "A redirect without Location is returned with its body (RFC 9110 §15.4)", noLocation),
        Case("restraint.cookies", "Cookies are not stored, and the request's own Cookie is sent unchanged (RFC 6265 §5.3)", cookies),
        Case("restraint.caching", "A cacheable response is requested again (RFC 9111 §4)", caching),
        Case("restraint.retries", "A status that invites a retry is returned, and nothing is sent again (RFC 9110 §10.2.3)", retries),
        Case("restraint.unauthorized", "A 401 that requests a credential is returned unchanged (RFC 9110 §15.5.2)", unauthorized),
        Case("restraint.statuses", "A response is returned whatever its status (RFC 9110 §15)", statuses),
        Case(
            "restraint.addresses",
            "An address that the request's policy refuses is not connected to, not even over a kept-alive connection", addresses),
    ]

    static func addresses(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .text("inside") }
        let byName = try context.url(server.url.absoluteString.replacing("127.0.0.1", with: "localhost"))
        for delivery in BodyDelivery.both {
            for url in [server.url, byName] {
                var request = HTTPRequest(url: url)
                request.context.streamsBody = delivery == .streamed
                request.context.addressPolicy = .publicOnly
                let subject = "\(delivery.words), \(url.host ?? "")"
                context.expect(subject, await context.exchange(request), fails: .addressRefused)
            }
        }
        context.expect("the connections", server.connectionCount, is: 0)
        var request = HTTPRequest(url: server.url)
        context.expect("without a policy", await context.exchange(request), body: Data("inside".utf8))
        request.context.addressPolicy = .publicOnly
        context.expect("with a policy, over the kept-alive connection", await context.exchange(request), fails: .addressRefused)
        request.context.addressPolicy = try AddressPolicy(allowing: ["127.0.0.0/8"])
        context.expect("with a policy that allows it", await context.exchange(request), body: Data("inside".utf8))
        context.expect("the requests", server.requests.count, is: 2)
    }

    static func redirects(_ context: CaseContext) async throws {
        for status in [300, 301, 302, 303, 307, 308] as [HTTPStatus] {
            for method in [.get, .head, .post] as [HTTPMethod] {
                for delivery in BodyDelivery.both { try await redirect(context, status, method, delivery) }
            }
        }
    }

    private static func redirect(_ context: CaseContext, _ status: HTTPStatus, _ method: HTTPMethod, _ delivery: BodyDelivery) async throws
    {
        let server = try await context.serve { request in
            guard request.path != "/elsewhere" else { return .text("followed") }
            let location = request.path == "/relative" ? "/elsewhere" : "http://\(request.headers[.host] ?? "")/elsewhere"
            return .text("moved", status: status, headers: [.location: location])
        }
        let base = "\(server.url.absoluteString)elsewhere"
        for (path, location) in [("relative", "/elsewhere"), ("absolute", base)] {
            let subject = "\(delivery.words), \(method) and \(status.rawValue), \(path)"
            let body = method == .post ? HTTPBody("x") : nil
            let outcome = await context.exchange(try context.request(server, method, path, body: body, delivery: delivery))
            let content = Data((method == .head ? "" : "moved").utf8)
            let answer = context.expect(subject, outcome, status: status, body: content)
            if let answer { context.expect("\(subject), Location", answer.headers.values(for: .location), is: [location]) }
        }
        context.expect("\(method) and \(status.rawValue), the requests", server.requests.map(\.target), is: ["/relative", "/absolute"])
    }

    static func noLocation(_ context: CaseContext) async throws {
        for status in [300, 301, 302, 303, 307, 308] as [HTTPStatus] {
            for delivery in BodyDelivery.both {
                let server = try await context.serve(.text("choose", status: status))
                let outcome = await context.exchange(try context.request(server, delivery: delivery))
                context.expect("\(delivery.words), \(status.rawValue)", outcome, status: status, body: Data("choose".utf8))
            }
        }
    }

    static func cookies(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200, headers: ["Set-Cookie": "kept=1; Path=/"]) }
        for method in [.get, .post] as [HTTPMethod] {
            for delivery in BodyDelivery.both {
                for fields in [[:], [:], [.cookie: "own=2"]] as [HTTPFields] {
                    let request = try context.request(
                        server, method, headers: fields, body: method == .post ? HTTPBody("x") : nil, delivery: delivery)
                    context.expect(
                        "\(delivery.words) \(method), \(fields.isEmpty ? "without" : "with") a cookie", await context.exchange(request))
                }
            }
        }
        let sent = server.requests.map { $0.headers.values(for: .cookie) }
        context.expect("the Cookie fields", sent, is: Array(repeating: [[], [], ["own=2"]], count: 4).flatMap { $0 })
    }

    static func caching(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in
            .text("x", headers: ["Cache-Control": "public, max-age=3600", "ETag": "\"1\"", "Date": HTTPDate(Date()).description])
        }
        for _ in 0..<3 { context.expect("the response", await context.exchange(try context.request(server)), body: Data("x".utf8)) }
        context.expect("the requests", server.requests.count, is: 3)
        let conditional = server.requests.filter { $0.headers.contains("If-None-Match") || $0.headers.contains("If-Modified-Since") }
        context.expect("conditional requests", conditional.count, is: 0)
    }

    static func retries(_ context: CaseContext) async throws {
        for status in [408, 421, 425, 429, 500, 502, 503, 504] as [HTTPStatus] {
            for method in [.get, .post, .put] as [HTTPMethod] {
                for delivery in BodyDelivery.both {
                    let server = try await context.serve { _ in .text("later", status: status, headers: [.retryAfter: "0"]) }
                    let subject = "\(delivery.words), \(method) and \(status.rawValue)"
                    let body = method == .get ? nil : HTTPBody("x")
                    let outcome = await context.exchange(try context.request(server, method, body: body, delivery: delivery))
                    context.expect(subject, outcome, status: status, body: Data("later".utf8))
                    context.expect("\(subject), the requests", server.requests.count, is: 1)
                }
            }
        }
    }

    static func unauthorized(_ context: CaseContext) async throws {
        for scheme in ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "Bearer", "Negotiate"] {
            let server = try await context.serve { _ in .text("who are you?", status: 401, headers: ["WWW-Authenticate": scheme]) }
            for (method, own) in [(.get, nil), (.get, "Bearer own"), (.post, nil), (.post, "Basic b3du")] as [(HTTPMethod, String?)] {
                for delivery in BodyDelivery.both {
                    let request = try context.request(
                        server, method, headers: own.map { [.authorization: $0] } ?? [:], body: method == .post ? HTTPBody("x") : nil,
                        delivery: delivery)
                    let subject = "\(delivery.words) \(method), \(scheme.prefix { $0 != " " })\(own.map { ", with \($0)" } ?? "")"
                    let answer = context.expect(subject, await context.exchange(request), status: 401, body: Data("who are you?".utf8))
                    if let answer {
                        context.expect("\(subject), the challenge", answer.headers.values(for: "WWW-Authenticate"), is: [scheme])
                    }
                }
            }
            let sent = server.requests.map { $0.headers.values(for: .authorization) }
            context.expect(
                "the Authorization fields", sent, is: [[], [], ["Bearer own"], ["Bearer own"], [], [], ["Basic b3du"], ["Basic b3du"]])
        }
    }

    static func statuses(_ context: CaseContext) async throws {
        for status in [200, 201, 203, 206, 299, 400, 403, 404, 407, 410, 418, 451, 499, 500, 501, 599] as [HTTPStatus] {
            let server = try await context.serve(.text("content", status: status))
            let outcome = await context.exchange(try context.request(server))
            context.expect("\(status.rawValue)", outcome, status: status, body: Data("content".utf8))
        }
    }
}
