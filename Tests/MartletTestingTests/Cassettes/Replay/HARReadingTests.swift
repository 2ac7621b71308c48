import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("HAR files of other programs", .timeLimit(.minutes(5))) struct HARReadingTests {
    private func replayed(_ har: Data, _ requests: HTTPRequest...) async throws -> [HTTPResponse<Data>] {
        let replay = try ReplayTransport(har: har)
        var responses: [HTTPResponse<Data>] = []
        for request in requests {
            let response = try await replay.send(request)
            responses.append(response.map { _ in response.body.buffered ?? Data() })
        }
        try replay.verify()
        return responses
    }

    @Test("Chrome: pseudo-header fields, custom members, wire codings, redirects without text and other schemes are supported")
    func chrome() async throws {
        let responses = try await replayed(
            Data(BrowserHars.chrome), Har.request("https://shop.example/"), Har.request("https://shop.example/api/items?page=2&sort=name"),
            Har.request("https://shop.example/logo.png"),
            Har.request("https://shop.example/api/cart", method: .post, body: HTTPBody(#"{"id":7}"#)),
            Har.request("https://shop.example/login", method: .post, body: HTTPBody("user=ada&note=a+b")))

        #expect(responses[0].status == 302 && responses[0].headers[.location] == "/api/items?page=2&sort=name" && responses[0].body.isEmpty)
        #expect(responses[1].body == Data(#"{"items":["a","ü"]}"#))
        #expect(responses[1].headers.values(for: .setCookie) == ["a=1; path=/", "b=2; secure"])
        #expect(responses[1].headers.map(\.name.rawName) == ["content-type", "set-cookie", "set-cookie", "vary"])
        #expect(responses[1].metadata.version == .http2 && responses[1].metadata.remoteAddress == "[::1]")
        #expect(responses[2].body == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(responses[2].headers[.contentLength] == "4")
        #expect(responses[3].status == 201)
        #expect(responses[4].status == 204)
    }

    @Test("Chrome: a blocked or failed request becomes an error of that kind")
    func chromeFailures() async throws {
        for (name, expected) in [
            ("net::ERR_NAME_NOT_RESOLVED", HTTPError.networkError(NetworkFailure(.hostNotFound))),
            ("net::ERR_CONNECTION_REFUSED", .networkError(NetworkFailure(.connectionRefused))), ("net::ERR_TIMED_OUT", .timeout),
            ("net::ERR_BLOCKED_BY_CLIENT", .networkError(NetworkFailure(.other))),
        ] {
            let har = Har.log(Har.entry(status: "0", response: #""_error":"\#(name)","content":{"size":0,"mimeType":"x-unknown"}"#))
            await #expect(throws: expected) { try await ReplayTransport(har: har).send(Har.request()) }
        }
        let certificate = Har.log(Har.entry(status: "0", response: #""_error":"net::ERR_CERT_DATE_INVALID""#))
        await #expect {
            try await ReplayTransport(har: certificate).send(Har.request())
        } throws: { if case .invalidSSLCertificate = $0 as? HTTPError { true } else { false } }
        await #expect(throws: HTTPError.networkError(NetworkFailure(.other))) {
            try await ReplayTransport(har: Har.log(Har.entry(status: "0"))).send(Har.request())
        }
    }

    @Test("Firefox: comments, a byte order mark, missing sizes and a form only in params are supported")
    func firefox() async throws {
        let responses = try await replayed(
            Data("\u{FEFF}" + BrowserHars.firefox),
            Har.request(
                "http://127.0.0.1:8000/form", method: .post, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: HTTPBody("name=Ada+L.&city=K%C3%B6ln")),
            Har.request("http://127.0.0.1:8000/old"))
        #expect(responses[0].body == Data("<p>thanks</p>") && responses[0].headers[.contentLength] == nil)
        #expect(responses[1].body == Data([0x4A, 0xE9]), "what was sent in Latin-1 is given in Latin-1")
    }

    @Test("Safari: optional members may be missing")
    func safari() async throws {
        let responses = try await replayed(Data(BrowserHars.safari), Har.request("https://shop.example/a"))
        #expect(responses[0].body == Data("ok") && responses[0].headers.isEmpty)
    }

    @Test("mitmproxy: text next to params, wire sizes and a missing response are supported")
    func mitmproxy() async throws {
        let form = Har.request(
            "http://127.0.0.1:9999/post", method: .post, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: HTTPBody("a=1&b=2"))
        let replay = try ReplayTransport(har: Data(BrowserHars.mitmproxy))
        #expect(try await replay.send(form).body.buffered == Data("hello"))
        #expect(try await replay.send(Har.request("http://127.0.0.1:9999/put", method: .put)).body.buffered == Data([0, 1, 0xFF]))
        await #expect(throws: HTTPError.networkError(NetworkFailure(.other))) {
            try await replay.send(Har.request("http://127.0.0.1:9999/gone"))
        }
    }

    @Test(
        "Content-Encoding in a recording from the wire shows whether a coding was decoded",
        arguments: [("gzip", true), ("br, gzip", true), ("identity", false), ("", false)])
    func contentCoding(coding: String, wasCoded: Bool) async throws {
        let fields = coding.isEmpty ? "" : #"{"name":"content-encoding","value":"\#(coding)"}"#
        let members = #""headers":[\#(fields)],"content":{"size":1,"mimeType":"text/plain","text":"x"}"#
        let response = try await ReplayTransport(har: Har.log(Har.entry(response: members))).send(Har.request())
        #expect(response.metadata.wasContentCoded == wasCoded && response.headers[.contentEncoding] == nil)
        // A response to HEAD has no body to decode.
        let head = try await ReplayTransport(har: Har.log(Har.entry("HEAD", response: members))).send(Har.request(method: .head))
        #expect(!head.metadata.wasContentCoded)
    }

    @Test("An entry whose body the browser discarded fails with an error that says so")
    func evicted() async throws {
        let har = Har.log(Har.entry(response: #""content":{"size":123,"mimeType":"text/html"}"#))
        #expect(
            try await Har.refusal(ReplayTransport(har: har), Har.request()).contains(
                "123 bytes in its response, which are not in the recording"))
        let head = Har.log(
            Har.entry(
                "HEAD", response: #""content":{"size":123,"mimeType":"text/html"},"headers":[{"name":"Content-Length","value":"123"}]"#))
        #expect(try await ReplayTransport(har: head).send(Har.request(method: .head)).headers[.contentLength] == "123")
    }

    @Test("A file that is missing, too large or not JSON throws an error with the place")
    func broken() throws {
        let folder = try TemporaryFolder()
        #expect(throws: HARError.unreadable("there is no file at \(folder.file().path)")) { try ReplayTransport(contentsOf: folder.file()) }
        let har = Har.log(Har.entry())
        try har.write(to: folder.file())
        #expect(throws: HARError.tooLarge(limit: 10)) { try ReplayTransport(contentsOf: folder.file(), maxBytes: 10) }
        let link = folder.file("link.har"), pipe = folder.file("pipe.har")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file())
        #expect(try ReplayTransport(contentsOf: link).count == 1)
        #expect(throws: HARError.tooLarge(limit: 10)) { try ReplayTransport(contentsOf: link, maxBytes: 10) }
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(throws: HARError.unreadable("\(pipe.path) is not a regular file")) { try ReplayTransport(contentsOf: pipe) }
        #expect(throws: HARError.tooLarge(limit: 10)) { try ReplayTransport(har: har, maxBytes: 10) }
        #expect(throws: HARError.malformed(reason: "the document ends too early", line: 2, column: 9)) {
            try ReplayTransport(har: Data("{\n \"log\": "))
        }
        #expect(throws: HARError.invalid(member: "the document", reason: "“log” is missing", line: 1, column: 1)) {
            try ReplayTransport(har: Data("{}"))
        }
    }

    @Test("A file that is truncated at any byte throws an error")
    func truncated() throws {
        let whole = Data(BrowserHars.chrome)
        for count in stride(from: 0, to: whole.count - 2, by: 7) {
            #expect { try ReplayTransport(har: Data(whole.prefix(count))) } throws: {
                if case HARError.malformed = $0 { true } else { false }
            }
        }
    }

    @Test(
        "An invalid member is named with its place",
        arguments: [
            (#"{"request":{"method":"GET","url":"http://a/"}}"#, "log.entries[0]: “response” is missing (line 1, column 80)"),
            (
                Har.entry(status: "99999"),
                "log.entries[0].response.status: 99999 is not an HTTP status (100 to 999), nor 0 for no response (line 1, column 159)"
            ),
            (
                Har.entry(status: "-5"),
                "log.entries[0].response.status: -5 is not an HTTP status (100 to 999), nor 0 for no response (line 1, column 159)"
            ),
            (Har.entry(status: "1e999"), "log.entries[0].response.status: 1e999 is not a whole number of 64 bits (line 1, column 159)"),
            (Har.entry(status: "200.5"), "log.entries[0].response.status: 200.5 is not a whole number of 64 bits (line 1, column 159)"),
            (Har.entry(status: "\"200\""), "log.entries[0].response.status: a string where a number was expected (line 1, column 159)"),
            (Har.entry("GE T"), "log.entries[0].request.method: not an HTTP method (line 1, column 101)"),
            (
                Har.entry("GET", #"https://a/\u001b[2J"#),
                "log.entries[0].request.url: not a URL: it has control characters (line 1, column 113)"
            ),
            ("[]", "log.entries[0]: an array where an object was expected (line 1, column 80)"),
            (
                Har.entry(response: #""headers":[{"name":"a\r\nb","value":"x"}]"#),
                "log.entries[0].response.headers[0].name: not a valid field name (line 1, column 182)"
            ),
            (
                Har.entry(response: #""headers":[{"name":"","value":"x"}]"#),
                "log.entries[0].response.headers[0].name: not a valid field name (line 1, column 182)"
            ),
            (
                Har.entry(response: #""headers":[{"name":"a","value":"x\r\nSet-Cookie: y"}]"#),
                "log.entries[0].response.headers[0].value: a control character in the value of a field (line 1, column 194)"
            ),
            (
                Har.entry(response: #""headers":[{"value":"x"}]"#),
                "log.entries[0].response.headers[0]: “name” is missing (line 1, column 174)"
            ),
            (
                Har.entry(response: #""headers":{}"#),
                "log.entries[0].response.headers: an object where an array was expected (line 1, column 173)"
            ),
            (
                Har.entry(response: #""content":{"text":"%%%","encoding":"base64"}"#),
                "log.entries[0].response.content.text: not base64, although its encoding says so (line 1, column 181)"
            ),
            (
                Har.entry(response: #""content":{"text":"x","encoding":"rot13"}"#),
                "log.entries[0].response.content.encoding: an unknown encoding: only base64 is supported (line 1, column 196)"
            ),
            (
                Har.entry(response: #""content":{"text":7}"#),
                "log.entries[0].response.content.text: a number where a string was expected (line 1, column 181)"
            ),
        ])
    func invalid(entry: String, message: String) throws {
        let error = try #require(throws: HARError.self) { try ReplayTransport(har: Har.log(entry)) }
        #expect("\(error)" == message)
    }

    @Test("Extreme numbers and nesting in unused members do no harm")
    func hostile() async throws {
        let deep = String(repeating: "[", count: 10_000)
        #expect { try ReplayTransport(har: Har.log(Har.entry(more: #""_x":\#(deep)"#))) } throws: {
            if case HARError.malformed(let reason, 1, _) = $0 { reason == "arrays and objects are nested too deeply" } else { false }
        }
        let numbers = #""time":1e400,"timings":{"wait":1e300,"receive":-1e300,"dns":"x","blocked":null}"#
        let time = ManualTime()
        let replay = try ReplayTransport(har: Har.log(Har.entry(more: numbers)), keepsTiming: true, time: time)
        _ = try await replay.send(Har.request())
        #expect(time.sleeps == [.seconds(86_400)])
    }

    @Test("A randomly changed file is read or refused, and never yields additional fields")
    func mutated() throws {
        var generator = SeededGenerator(seed: 11)
        let whole = Array(BrowserHars.chrome.utf8)
        var read = 0
        for _ in 0..<1500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = [UInt8.random(in: 0...255, using: &generator), UInt8(ascii: "0"), UInt8(ascii: "\""), UInt8(ascii: "n")]
                    .randomElement(using: &generator)!
            }
            do throws(HARError) {
                _ = try ReplayTransport(har: Data(bytes))
                read += 1
            } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
        #expect(read > 150)
    }
}
