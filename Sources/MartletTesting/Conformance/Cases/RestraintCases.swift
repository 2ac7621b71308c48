#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a transport leaves to the client: it performs exactly one exchange.
enum RestraintCases {
    static let all = [
        Case("restraint.redirects", "A redirect is not followed but given, with its Location and its body (RFC 9110 §15.4)", redirects),
        Case("restraint.cookies", "Cookies are not kept, and one that the request carries is left alone (RFC 6265 §5.3)", cookies),
        Case("restraint.caching", "An answer that may be kept is asked for again (RFC 9111 §4)", caching),
        Case("restraint.retries", "A status that invites a retry is given, and nothing is sent again (RFC 9110 §10.2.3)", retries),
        Case("restraint.unauthorized", "A 401 that asks for a credential comes back as it is (RFC 9110 §15.5.2)", unauthorized),
        Case("restraint.statuses", "Whatever the status, there is an answer (RFC 9110 §15)", statuses),
    ]

    static func redirects(_ trial: Trial) async throws {
        for status in [300, 301, 302, 303, 307, 308] as [HTTPStatus] {
            let server = try await trial.serve(.text("moved", status: status, headers: [.location: "/elsewhere"]), .text("followed"))
            let outcome = await trial.exchange(try trial.request(server, .post, "from", body: HTTPBody("x")))
            let answer = trial.expect("\(status.rawValue)", outcome, status: status, body: Data("moved".utf8))
            if let answer { trial.expect("\(status.rawValue), Location", answer.headers.values(for: .location), is: ["/elsewhere"]) }
            trial.expect("\(status.rawValue), the requests", server.requests.map(\.target), is: ["/from"])
        }
    }

    static func cookies(_ trial: Trial) async throws {
        let server = try await trial.serve { _ in .status(200, headers: ["Set-Cookie": "kept=1; Path=/"]) }
        for _ in 0..<2 { trial.expect("without a cookie", await trial.exchange(try trial.request(server))) }
        trial.expect("with a cookie", await trial.exchange(try trial.request(server, headers: [.cookie: "own=2"])))
        trial.expect("the Cookie fields", server.requests.map { $0.headers.values(for: .cookie) }, is: [[], [], ["own=2"]])
    }

    static func caching(_ trial: Trial) async throws {
        let server = try await trial.serve { _ in
            .text("x", headers: ["Cache-Control": "public, max-age=3600", "ETag": "\"1\"", "Date": HTTPDate(Date()).description])
        }
        for _ in 0..<3 { trial.expect("the answer", await trial.exchange(try trial.request(server)), body: Data("x".utf8)) }
        trial.expect("the requests", server.requests.count, is: 3)
        let conditional = server.requests.filter { $0.headers.contains("If-None-Match") || $0.headers.contains("If-Modified-Since") }
        trial.expect("conditional requests", conditional.count, is: 0)
    }

    static func retries(_ trial: Trial) async throws {
        for status in [408, 429, 500, 502, 503, 504] as [HTTPStatus] {
            let server = try await trial.serve { _ in .text("later", status: status, headers: [.retryAfter: "0"]) }
            let subject = "\(status.rawValue)"
            trial.expect(subject, await trial.exchange(try trial.request(server)), status: status, body: Data("later".utf8))
            trial.expect("\(subject), the requests", server.requests.count, is: 1)
        }
    }

    static func unauthorized(_ trial: Trial) async throws {
        for scheme in ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "Bearer", "Negotiate"] {
            let server = try await trial.serve { _ in .text("who are you?", status: 401, headers: ["WWW-Authenticate": scheme]) }
            for delivery in BodyDelivery.both {
                let outcome = await trial.exchange(try trial.request(server, delivery: delivery))
                let subject = "\(delivery.words), \(scheme.prefix { $0 != " " })"
                let answer = trial.expect(subject, outcome, status: 401, body: Data("who are you?".utf8))
                if let answer { trial.expect("\(subject), the challenge", answer.headers.values(for: "WWW-Authenticate"), is: [scheme]) }
            }
            trial.expect("the requests", server.requests.count, is: 2)
        }
    }

    static func statuses(_ trial: Trial) async throws {
        for status in [200, 201, 203, 206, 299, 400, 403, 404, 407, 410, 418, 451, 499, 500, 501, 599] as [HTTPStatus] {
            let server = try await trial.serve(.text("content", status: status))
            let outcome = await trial.exchange(try trial.request(server))
            trial.expect("\(status.rawValue)", outcome, status: status, body: Data("content".utf8))
        }
    }
}
