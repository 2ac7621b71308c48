import Foundation
import Testing

@testable import MartletHTTP

@Suite("HTTPError: texts", .timeLimit(.minutes(5)))
struct HTTPErrorTextTests {
    private struct Broken: Error, CustomStringConvertible { var description = "broken" }
    private let request = HTTPRequest(method: .post, url: URL(string: "https://u:pw@h/x?token=secret&page=2")!)

    private func response(_ body: String) -> HTTPResponse<Data> { HTTPResponse(status: .badRequest, body: Data(body.utf8)) }

    @Test("The description of each case has one line and differs from all others")
    func everyCase() {
        for error in oneOfEach {
            #expect(!error.description.isEmpty)
            #expect(!error.description.contains("\n"))
        }
        #expect(Set(oneOfEach.map(\.description)).count == oneOfEach.count)
    }

    @Test("Request, stage, attempts, detail and cause are described if they are known")
    func whole() {
        let context = ErrorContext(request: request, stage: .connect, attempts: 2, underlying: Broken(), detail: "after 5 s")
        #expect(
            HTTPError.timeout(context).description
                == "Timed out (after 5 s): POST https://‹redacted›@h/x?token=‹redacted›&page=2, stage: connect, attempts: 2, cause: broken")
        #expect(HTTPError.timeout.description == "Timed out")
    }

    @Test("A single attempt, a stage that the case implies and a cause without new information are omitted")
    func brief() {
        let failure = DecodingFailure(
            type: "User", codingPath: "items[3].id", reason: "not a number", response: response(""),
            context: ErrorContext(stage: .decoding, attempts: 1))
        #expect(HTTPError.decodingFailed(failure).description == "Decoding User failed at items[3].id: not a number")
        #expect(HTTPError.cancelled(ErrorContext(underlying: CancellationError())).description == "Cancelled")
        #expect(HTTPError.cancelled(ErrorContext(underlying: HTTPError.timeout)).description == "Cancelled")
    }

    @Test("Words that the failure and its cause share are shown once")
    func sharedWords() {
        struct Code: Error, CustomStringConvertible { var description = "libcurl error 60: self-signed certificate" }
        let context = ErrorContext(underlying: Code())
        #expect(
            HTTPError.invalidSSLCertificate(Explanation("self-signed certificate", context: context)).description
                == "TLS refused: self-signed certificate, cause: libcurl error 60")
        let same = ErrorContext(underlying: Broken())
        #expect(HTTPError.interceptorFailed(Explanation("broken", context: same)).description == "Interceptor broken failed, cause: broken")
        #expect(HTTPError.engineUnavailable(Explanation("broken", context: same)).description == "Engine unavailable: broken")
        let failure = NetworkFailure(.connectionRefused, "self-signed certificate", context: context)
        #expect(
            HTTPError.networkError(failure).description
                == "Network error: connectionRefused (self-signed certificate), cause: libcurl error 60")
    }

    @Test("A response's body is shown in part, with its secrets masked")
    func bodies() {
        #expect(
            HTTPError.statusCode(response(#"{"error":"no","access_token":"secret"}"#)).description
                == #"Status 400 Bad Request, body: {"error":"no","access_token":"‹redacted›"}"#)
        #expect(HTTPError.statusCode(response("")).description == "Status 400 Bad Request")
        #expect(HTTPError.statusCode(response(String(repeating: "a", count: 5_000))).description.count < 300)
    }

    @Test("The error for HTML in place of JSON shows its media type and its start in one bounded line without secrets")
    func html() throws {
        let page = "<!DOCTYPE html>\n<html><a href=\"/?access_token=hunter2\">Log in</a>" + String(repeating: "<p>", count: 5_000)
        let headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        let response = HTTPResponse(status: 200, headers: headers, body: Data(page.utf8))
        let failure = DecodingFailure(type: "User", reason: "not JSON", response: response)
        let text = HTTPError.decodingFailed(failure).description
        #expect(
            text.hasPrefix(
                #"Decoding User failed: not JSON, Content-Type: text/html; charset=utf-8, body: <!DOCTYPE html>\n<html><a‹redacted›"#))
        #expect(!text.contains("hunter2") && text.count < 500 && !text.contains("\n"))
    }

    @Test("An error in XML shows its code and message, as far as they are at its start")
    func xml() {
        let body = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>NoSuchBucket</Code><Message>The bucket does not exist</Message><Token>hunter2</Token></Error>
            """
        let response = HTTPResponse(status: 404, headers: [.contentType: "application/xml"], body: Data(body.utf8))
        #expect(
            HTTPError.statusCode(response).description == #"""
                Status 404 Not Found, body: <?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchBucket</Code>\#
                <Message>The bucket does not exist</Message><Token‹redacted›</Token></Error>
                """#)
    }

    @Test(
        "A 401 that asks only for schemes that are not supported says so",
        arguments: [
            (#"Digest realm="a, Basic b", qop="auth, auth-int", nonce="x""#, "Digest authentication"),
            ("Negotiate, NTLM, NTLM", "NTLM and Negotiate authentication"), ("digest realm=x", "Digest authentication"),
        ])
    func challenges(field: String, scheme: String) {
        let response = HTTPResponse(status: 401, headers: [.wwwAuthenticate: field], body: Data())
        let text = "Status 401 Unauthorized (the server asks for \(scheme), which is not supported)"
        #expect(HTTPError.statusCode(response).description == text)
        #expect(HTTPError.statusCode(response).failureText == text)
    }

    @Test(
        "A challenge that a client can respond to, a malformed one and one with another status are not mentioned",
        arguments: [
            (401, [#"Digest realm="a""#, "Basic realm=b"]), (401, ["Bearer"]), (401, [""]), (401, [#"realm="Digest x""#]), (401, []),
            (403, ["Digest realm=a"]), (401, ["Digest realm=a, Basic realm=b"]), (401, ["Custom x"]),
        ] as [(HTTPStatus, [String])])
    func otherChallenges(status: HTTPStatus, fields: [String]) {
        var headers = HTTPFields()
        for field in fields { headers.append(.wwwAuthenticate, field) }
        let error = HTTPError.statusCode(HTTPResponse(status: status, headers: headers, body: Data()))
        #expect(error.description == "Status \(status)")
    }

    @Test("An explanation is built when it is read, and reflection shows nothing else")
    func lazy() {
        let counter = MaskingSteps(), url = "https://h/?token=hunter2&" + String(repeating: "value:", count: 1_000)
        let explanation = Explanation(lazily: "not allowed: \(Redaction.address(url))")
        let error = HTTPError.redirectFailed(explanation)
        MaskingSteps.$counter.withValue(counter) {
            var known = error.completed(request: request, stage: .redirect)
            known.context.attempts = 2
            #expect(known == error && known.attempts == 2 && counter.count == 0)
            #expect(known.description.contains("token=‹redacted›") && counter.count > 0)
        }
        for value in [explanation, error, [error], Result<Int, HTTPError>.failure(error)] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains("hunter2"), "\(text)") }
        }
        #expect(Mirror(reflecting: explanation).children.isEmpty)
    }

    @Test("The description of a decoding failure costs what it shows, not what the server sent")
    func cost() {
        let counter = MaskingSteps(), text = String(repeating: "value: name: a=%3D&b ", count: 12_000)
        let body = Data((#"{"a":""# + text + #""}"#).utf8)
        let response = HTTPResponse(status: .ok, headers: [.contentType: "application/json"], body: body)
        let failure = DecodingFailure(type: "User", codingPath: "a", reason: "not a number", response: response)
        MaskingSteps.$counter.withValue(counter) { _ = HTTPError.decodingFailed(failure).description }
        #expect(counter.count <= 5 * body.count)
    }

    @Test("The path of a value is bounded, although a server chooses the keys of dictionaries")
    func paths() {
        struct Key: CodingKey {
            let stringValue: String, intValue: Int? = nil
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { return nil }
        }
        let path = (0..<200).map { Key(stringValue: String(repeating: "k", count: 100_000) + "\($0)") }
        #expect(CodingPath.text(path).count <= 501)
        #expect(CodingPath.text([Key(stringValue: "a"), Key(stringValue: "b")]) == "a.b")
    }

    @Test("A cause's secrets are masked")
    func causes() {
        let cause = Broken(description: "could not load https://h/?api_key=secret with password=secret")
        let error = HTTPError.networkError(NetworkFailure(.connectionLost, "reset", context: ErrorContext(underlying: cause)))
        #expect(error.description.hasPrefix("Network error: connectionLost (reset), cause: could not load"))
        #expect(!error.description.contains("secret"))
    }

    @Test("The description has one line without control characters, whatever a server or library says")
    func oneLine() {
        let evil = "sorry\r\n2026-01-01 all is well\u{1B}[1A\u{9B}2K\u{2028}"
        let answered = HTTPError.statusCode(HTTPResponse(status: 500, body: Data(evil.utf8)))
        let broken = HTTPError.networkError(NetworkFailure(.other, evil, context: ErrorContext(underlying: Broken(description: evil))))
        for error in [answered, broken] {
            #expect(error.description.contains(#"sorry\r\n2026-01-01 all is well\u{1B}[1A"#))
            #expect(!error.description.unicodeScalars.contains(where: Redaction.isControl))
        }
    }

    @Test("Header fields, which may contain credentials, are never shown")
    func fields() {
        var request = request
        request.headers = ["Authorization": "Bearer secret", "X-Key": "secret"]
        for error in oneOfEach {
            #expect(!error.completed(request: request, stage: .exchange).description.contains("secret"))
        }
    }
}
