import Foundation
import Testing

@testable import MartletClient
@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct RedirectDecisionTests {
    func decide(
        _ status: HTTPStatus, to location: String?, method: HTTPMethod = .get, from url: String = "https://a.example/x/y?q=1",
        headers: HTTPFields = [:], body: HTTPBody? = nil, count: Int = 0, policy: RedirectPolicy = .follow()
    ) throws -> RedirectDecision {
        let request = HTTPRequest(method: method, url: try #require(URL(string: url)), headers: headers, body: body)
        var response = HTTPResponse<Void>(status: status, body: ())
        response.headers[.location] = location
        return RedirectDecision.decide(request: request, response: response, count: count, policy: policy)
    }

    func followed(_ decision: RedirectDecision) throws -> HTTPRequest {
        guard case .follow(let request) = decision else { throw Unexpected(decision: "\(decision)") }
        return request
    }

    func refusal(_ decision: RedirectDecision) throws -> HTTPError {
        guard case .refuse(let error) = decision else { throw Unexpected(decision: "\(decision)") }
        return error
    }

    struct Unexpected: Error { let decision: String }

    @Test("A redirect costs no masking, and a refused one only when the error's text is read")
    func cost() throws {
        let counter = MaskingSteps(), query = String(repeating: "value:", count: 1_300)
        try MaskingSteps.$counter.withValue(counter) {
            for _ in 0..<20 { _ = try followed(decide(302, to: "/z?\(query)")) }
            // Another scheme, a user, a step back to http, and an invalid port.
            let targets = ["ftp://b.example/", "https://u:p@b.example/", "http://b.example/", "https://b.example:x/"]
            let refused = try targets.map { try refusal(decide(302, to: $0 + "?" + query)) }
            #expect(refused.allSatisfy { $0 == .redirectFailed("") } && counter.count == 0)
            for error in refused {
                let before = counter.count
                #expect(error.description.contains("‹redacted›") || error.description.contains("b.example"))
                #expect(counter.count > before)
            }
        }
    }

    @Test("Trailers that may identify the user stay with the origin, like such fields")
    func trailers() async throws {
        let body = HTTPBody("a").trailers { ["X-Secret": "s", "Content-Digest": "d"] }
        let within = try followed(decide(307, to: "/z", method: .put, body: body))
        #expect(try await within.body?.makeTrailers().count == 2)
        let beyond = try followed(decide(307, to: "https://b.example/z", method: .put, body: body))
        #expect(try await beyond.body?.makeTrailers().map(\.name) == ["Content-Digest"])
    }

    @Test("Only the five redirect statuses with a Location are followed", arguments: [200, 300, 304, 305, 306, 404])
    func others(status: Int) throws {
        guard case .deliver = try decide(HTTPStatus(rawValue: status), to: "/z") else { Issue.record("followed \(status)"); return }
        guard case .deliver = try decide(302, to: nil) else { Issue.record("followed without a Location"); return }
        guard case .deliver = try decide(302, to: " ") else { Issue.record("followed an empty Location"); return }
    }

    @Test(
        "A Location is resolved against the URL that sent it (RFC 3986 §5)",
        arguments: [
            ("/z", "https://a.example/z"), ("z", "https://a.example/x/z"), ("../z", "https://a.example/z"),
            ("?p=2", "https://a.example/x/y?p=2"),
            ("//b.example/z", "https://b.example/z"), ("https://b.example", "https://b.example"), ("./", "https://a.example/x/"),
            ("/a%2Fb?c=d%20e", "https://a.example/a%2Fb?c=d%20e"), ("  /z ", "https://a.example/z"),
            ("/caf\u{e9}", "https://a.example/caf%C3%A9"), ("/t?a=%20[1]", "https://a.example/t?a=%20%5B1%5D"),
            ("https://b.example/x/../y", "https://b.example/y"),
        ])
    func resolution(location: String, expected: String) throws {
        #expect(try followed(decide(302, to: location)).url.absoluteString == expected)
    }

    @Test("A fragment is inherited unless the Location has its own (RFC 9110 §10.2.2)")
    func fragments() throws {
        #expect(try followed(decide(302, to: "/z", from: "https://a.example/x#part")).url.absoluteString == "https://a.example/z#part")
        #expect(try followed(decide(302, to: "/z#own", from: "https://a.example/x#part")).url.absoluteString == "https://a.example/z#own")
    }

    @Test(
        "301 and 302 turn POST into GET, 303 turns all methods but HEAD into GET, 307 and 308 keep the method (RFC 9110 §15.4)",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "POST", "GET"),
            (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (303, "GET", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
            (301, "HEAD", "HEAD"),
        ])
    func methods(status: Int, method: String, next: String) throws {
        let request = try followed(
            decide(HTTPStatus(rawValue: status), to: "/z", method: HTTPMethod(rawValue: method), body: HTTPBody("b")))
        #expect(request.method.rawValue == next)
        // A 303 asks for another resource, also of a GET that had a body.
        #expect((request.body == nil) == (next != method || status == 303 && method == "GET"))
    }

    @Test(
        "A field that is marked or named as a credential is not sent to another origin",
        arguments: ["X-Vault-Token", "X-Session-Id", "Ocp-Apim-Subscription-Key", "X-Client-Secret", "Authorization", "X-Marked"])
    func secrets(name: String) throws {
        var headers: HTTPFields = [HTTPFieldName(name): "s3cret", "Accept": "1"]
        if name == "X-Marked" { headers.markAsCredential("X-Marked") }
        for target in ["https://b.example/z", "https://a.example:444/z"] {
            #expect(try followed(decide(302, to: target, headers: headers)).headers == ["Accept": "1"])
        }
        #expect(try followed(decide(302, to: "/z", headers: headers)).headers == headers)
    }

    @Test(
        "A field of an unknown name is not sent to another origin",
        arguments: [
            "X-Query-Key", "X-Appwrite-Key", "X-MC-Auth", "X-Honeycomb-Team", "X-Remote-User", "X-2FA-Code", "X-Forwarded-Client-Cert",
            "X-App", "Host", "Idempotency-Key", "Cache-Control", "Referer",
        ])
    func unknown(name: String) throws {
        let headers: HTTPFields = [HTTPFieldName(name): "s3cret"]
        for target in ["https://b.example/z", "https://a.example:444/z"] {
            #expect(try followed(decide(307, to: target, headers: headers)).headers.isEmpty)
        }
        #expect(try followed(decide(307, to: "http://a.example/z", from: "http://b.example/", headers: headers)).headers.isEmpty)
        #expect(try followed(decide(307, to: "/z", headers: headers)).headers == headers)
    }

    @Test("Harmless fields of HTTP, of tracing and of uploads, and fields that the app declares, are sent to another origin")
    func portable() throws {
        let known: HTTPFields = [
            "Accept": "a", "Accept-Language": "b", "User-Agent": "c", "Content-Type": "d", "Content-Language": "e", "Range": "f",
            "If-None-Match": "g", "If-Range": "h", "traceparent": "i", "tracestate": "j", "Upload-Offset": "k", "Last-Event-ID": "l",
        ]
        #expect(try followed(decide(307, to: "https://b.example/z", headers: known)).headers == known)
        var request = HTTPRequest(url: try #require(URL(string: "https://a.example/x")), headers: ["X-App": "1", "X-Other": "2"])
        request.context.services = ClientServices(time: SystemTime(), harmlessFields: ["x-app"])
        let response = HTTPResponse<Void>(status: 307, headers: [.location: "https://b.example/z"], body: ())
        let next = try followed(RedirectDecision.decide(request: request, response: response, count: 0, policy: .follow()))
        #expect(next.headers == ["X-App": "1"])
    }

    @Test("Fields about the content are dropped with the body")
    func contentFields() throws {
        let headers: HTTPFields = ["Content-Type": "text/plain", "Content-Language": "en", "Content-Encoding": "gzip", "X-App": "1"]
        let dropped = try followed(decide(302, to: "/z", method: .post, headers: headers, body: HTTPBody("b")))
        let kept = try followed(decide(307, to: "/z", method: .post, headers: headers, body: HTTPBody("b")))
        #expect(dropped.headers == ["X-App": "1"])
        #expect(kept.headers == headers)
        #expect(kept.body?.buffered == Data("b".utf8))
    }

    @Test(
        "Credentials are dropped when the scheme, host or port changes, and kept within the origin",
        arguments: [
            ("https://b.example/z", false), ("https://a.example:8443/z", false), ("/z", true), ("https://A.example:443/z", true),
            ("https://a.example.evil.example/z", false),
        ])
    func credentials(location: String, kept: Bool) throws {
        var headers: HTTPFields = [
            "Authorization": "Bearer t", "Cookie": "a=b", "Proxy-Authorization": "p", "X-API-Key": "k", "Accept": "1", "Host": "a.example",
        ]
        headers.markAsCredential("X-API-Key")
        let next = try followed(decide(307, to: location, headers: headers))
        #expect(next.headers.count == (kept ? 6 : 1))
        #expect(next.headers["Accept"] == "1")
    }

    @Test(
        "The common fields with credentials are dropped without a mark",
        arguments: ["X-Api-Key", "api-key", "X-Auth-Token", "X-Access-Token", "X-CSRF-Token", "X-Amz-Security-Token", "PRIVATE-TOKEN"])
    func knownCredentials(name: String) throws {
        let headers: HTTPFields = [HTTPFieldName(name): "k"]
        #expect(try followed(decide(307, to: "/z", headers: headers)).headers == headers)
        for elsewhere in ["https://b.example/z", "https://a.example:8443/z"] {
            #expect(try followed(decide(307, to: elsewhere, headers: headers)).headers.isEmpty)
        }
        #expect(try followed(decide(307, to: "https://a.example/z", from: "http://a.example/", headers: headers)).headers.isEmpty)
        #expect("\(headers)" == "\(name): ‹redacted›")
    }

    @Test(
        "Redirects to another scheme, from https to http, with a user name, without a host or to a malformed URL are refused",
        arguments: [
            "ftp://a.example/z", "file:///etc/passwd", "http://a.example/z", "https://u:p@a.example/", "https://u@a.example/", "https:///z",
            "javascript:alert(1)", "/z\u{1}", "https://[::1",
        ])
    func refused(location: String) throws {
        let error = try refusal(decide(302, to: location))
        guard case .redirectFailed = error else { Issue.record("\(error)"); return }
        #expect(!"\(error)".contains("u:p"))
    }

    @Test("http to https is followed")
    func upgrade() throws {
        #expect(try followed(decide(301, to: "https://a.example/", from: "http://a.example/")).url.scheme == "https")
    }

    @Test("A 307 or 308 with a streamed body is refused")
    func stream() throws {
        let error = try refusal(decide(307, to: "/z", method: .post, body: HTTPBody { nil }))
        guard case .bodyNotReplayable = error else { Issue.record("\(error)"); return }
        #expect(try followed(decide(303, to: "/z", method: .post, body: HTTPBody { nil })).body == nil)
        #expect(try followed(decide(303, to: "/z", method: .get, body: HTTPBody(Data("x".utf8)))).body == nil)
    }

    @Test("At most 20 redirects are followed by default; none returns the response; a closure decides")
    func policies() throws {
        _ = try followed(decide(302, to: "/z", count: 19))
        #expect(try refusal(decide(302, to: "/z", count: 20)) == .redirectFailed("more than 20 redirects"))
        #expect(try refusal(decide(302, to: "/z", count: 3, policy: .follow(maxRedirects: 3))) == .redirectFailed("more than 3 redirects"))
        guard case .deliver = try decide(302, to: "/z", policy: .none) else { Issue.record("followed"); return }
        guard case .deliver = try decide(302, to: "/z", policy: .custom { _, _ in nil }) else { Issue.record("followed"); return }
        let changed = try followed(
            decide(
                302, to: "/z",
                policy: .custom { proposed, response in
                    var next = proposed
                    next.headers["X-From"] = "\(response.status.rawValue)"
                    return next
                }))
        #expect(changed.headers["X-From"] == "302")
    }

    @Test(
        "Only an upgrade to https changes the URL that a redirect starts from",
        arguments: [
            ("http://a.example/x", "https://A.example/x", true), ("http://a.example/x", "https://b.example/x", false),
            ("https://a.example/x", "http://a.example/x", false), ("http://a.example/x", "http://a.example/y", false),
        ])
    func source(requested: String, sent: String, isSent: Bool) throws {
        let (requested, sent) = (try #require(URL(string: requested)), try #require(URL(string: sent)))
        #expect(RedirectDecision.source(of: requested, sentTo: sent) == (isSent ? sent : requested))
        #expect(RedirectDecision.source(of: requested, sentTo: nil) == requested)
    }
}
