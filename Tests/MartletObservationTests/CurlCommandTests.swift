import Foundation
import MartletTesting
import Testing

@testable import MartletHTTP
@testable import MartletObservation

@Suite("HTTPRequest.curl", .timeLimit(.minutes(5)))
struct CurlTests {
    private func request(
        _ method: HTTPMethod = .get, _ url: String = "https://h/a?b=c", headers: HTTPFields = [:], body: HTTPBody? = nil
    ) -> HTTPRequest {
        HTTPRequest(method: method, url: URL(string: url)!, headers: headers, body: body)
    }

    @Test("Method, URL, fields and body are written in curl's options")
    func plain() {
        #expect(request().curl == "curl 'https://h/a?b=c'")
        #expect(request(.head).curl == "curl --head 'https://h/a?b=c'")
        #expect(request(.delete).curl == "curl -X DELETE 'https://h/a?b=c'")
        #expect(
            request(.post, headers: [.contentType: "application/json"], body: HTTPBody(#"{"a":1}"#)).curl
                == #"curl 'https://h/a?b=c' -H 'Content-Type: application/json' --data-raw '{"a":1}'"#)
        #expect(request(.put, body: HTTPBody("x")).curl == "curl -X PUT 'https://h/a?b=c' -H 'Content-Type:' --data-raw x")
        #expect(request(headers: ["X-Empty": ""]).curl == "curl 'https://h/a?b=c' -H 'X-Empty;'")
    }

    @Test("The command for a WebSocket sends the handshake and shows what arrives, without its key as a secret")
    func handshake() {
        let fields: HTTPFields = [
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        #expect(
            request(.get, "https://h/chat", headers: fields).curl
                == "curl --include --no-buffer --http1.1 'https://h/chat' -H 'Connection: Upgrade' -H 'Upgrade: websocket'"
                + " -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='")
        #expect(request(.post, headers: fields).curl.hasPrefix("curl -X POST 'https://h/a?b=c'"))
    }

    @Test("Any content stays one word of the shell")
    func quoting() {
        let body = "'; rm -rf / #$(id)`id`\\\n\"!"
        #expect(
            request(.post, headers: [.contentType: "text/plain", "X-A": "it's"], body: HTTPBody(body)).curl
                == "curl 'https://h/a?b=c' -H 'Content-Type: text/plain' -H 'X-A: it'\\''s' --data-raw ''\\''; rm -rf / #$(id)`id`\\\n\"!'")
        #expect(request(.post, body: HTTPBody("@/etc/passwd")).curl.hasSuffix("--data-raw '@/etc/passwd'"))
        #expect(request("-o").curl == "curl -X -o 'https://h/a?b=c'")
    }

    @Test("A shell parses the words correctly", .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/sh")))
    func shell() throws {
        let body = "a'b\"c$HOME`id`\\n\n\t* ~ !x"
        let command = request(.post, "https://h/a?b='c'&d=$e", headers: [.contentType: "text/plain"], body: HTTPBody(body)).curl
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "curl() { for word; do printf '<%s>' \"$word\"; done; }; " + command]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.hasSuffix("<-H><Content-Type: text/plain><--data-raw><\(body)>"))
    }

    @Test("Secrets are hidden unless they are requested explicitly")
    func secrets() {
        let secret = request(
            .post, "https://h/a?api_key=s3cret", headers: [.authorization: "Bearer s3cret", .contentType: "application/json"],
            body: HTTPBody(#"{"password":"s3cret"}"#))
        #expect(!secret.curl.contains("s3cret"))
        #expect(secret.curl.contains("-H 'Authorization: ‹redacted›'"))
        #expect(secret.curlRevealingSecrets.split(separator: "s3cret").count == 4)
        let parts = request(.post, headers: [.contentType: "multipart/form-data; boundary=b"], body: HTTPBody("--b\r\n\r\ns3cret"))
        #expect(!parts.curl.contains("s3cret"))
    }

    @Test("Options prevent changes to the URL by curl")
    func literal() {
        #expect(request(.get, "https://h/a/../b").curl == "curl --path-as-is 'https://h/a/../b'")
        #expect(request(.get, "https://[::1]/").curl == "curl --globoff 'https://[::1]/'")
    }

    @Test("A stream, a long body, and one that is not text or could control a terminal are read from standard input")
    func standardInput() {
        for body in [HTTPBody { nil }, HTTPBody(String(repeating: "x", count: 100_001)), HTTPBody(Data([0xFF])), HTTPBody("a\u{1B}[31m")] {
            #expect(request(.put, body: body).curl.hasSuffix(" --data-binary @-"))
        }
    }

    @Test("A file is named")
    func file() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("curl \(UUID()).txt")
        try Data("x".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(request(.put, body: try HTTPBody(file: url)).curl.hasSuffix(" --data-binary '@\(url.path)'"))
    }

    @Test("An invalid field is omitted")
    func invalid() {
        #expect(request(headers: ["X-A": "1\r\nX-Evil: 1", "X B": "1", "X-C": "3"]).curl == "curl 'https://h/a?b=c' -H 'X-C: 3'")
    }

    @Test("A quote with a combining accent is escaped as a quote", arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"])
    func combiningQuotes(mark: String) {
        let text = "a'\(mark); touch /tmp/x; '\(mark)"
        let quoted = "a'\\''\(mark); touch /tmp/x; '\\''\(mark)"
        let request = request(.post, headers: [.contentType: "text/plain"], body: HTTPBody(text))
        #expect(
            request.curlRevealingSecrets.utf8.elementsEqual(
                "curl 'https://h/a?b=c' -H 'Content-Type: text/plain' --data-raw '\(quoted)'".utf8))
    }

    @Test("A POST without a body has Content-Length: 0, as the transport sends it")
    func emptyPost() {
        #expect(request(.post).curl == "curl -X POST 'https://h/a?b=c' -H 'Content-Length: 0'")
    }
}

@Suite("CallTrace.curl", .timeLimit(.minutes(5)))
struct CallTraceCurlTests {
    private func client(_ replies: MockReply...) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(replies: replies))
    }

    @Test("Each attempt is a command after a comment with its outcome, with secrets hidden")
    func commands() async throws {
        let request = Request<Data>.get("a").header(.authorization, "Bearer s3cret").header("Accept", "x")
        let client = client(.status(302, headers: [.location: "https://other/b?token=s3cret"]), .text("found"))
        let curl = try await client.response(for: request).trace.curl
        let lines = curl.split(separator: "\n")
        #expect(lines.count == 4 && lines[0] == "# attempt 1: 302 Found" && lines[2] == "# attempt 2: 200 OK")
        #expect(lines[1].hasPrefix("curl 'https://h/a' ") && lines[1].contains("-H 'Authorization: ‹redacted›'"))
        #expect(lines[3].hasPrefix("curl 'https://other/b?token=‹redacted›'") && !lines[3].contains("Authorization"))
    }

    @Test("An error's trace has them too; a call without a request has none")
    func failures() async throws {
        let failed = await client(.disconnect).result(of: Request<Data>.get("a"))
        guard case .failure(let error) = failed else { throw CancellationError() }
        #expect(error.trace.curl.hasPrefix("# attempt 1: network error connectionLost\ncurl 'https://h/a'"))
        #expect(HTTPError.timeout.trace.curl.isEmpty)
    }

    @Test("The outcome cannot end its comment")
    func comment() {
        let record = CallRecord()
        let request = HTTPRequest(method: .get, url: URL(string: "https://h/")!)
        let attempt = record.beginAttempt(request)
        record.endAttempt(attempt, of: request, .failed("a\nrm -rf /"))
        #expect(record.trace.curl.split(separator: "\n").count == 2)
    }
}
