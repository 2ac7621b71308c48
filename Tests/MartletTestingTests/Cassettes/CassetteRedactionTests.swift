import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("Secrets in cassettes", .timeLimit(.minutes(5))) struct CassetteRedactionTests {
    /// In all encodings in which it could be found.
    private func leaks(_ secret: String, in har: Data) -> [String] {
        let data = Data(secret)
        var forms = [secret, data.map { "%" + String($0, radix: 16, uppercase: true) }.joined()]
        // In base64, the bytes of a secret depend on its position.
        for offset in 0..<3 {
            let shifted = (Data(repeating: 0x20, count: offset) + data).base64EncodedString()
            forms.append(String(shifted.dropFirst(offset == 0 ? 0 : 4).dropLast(4)))
        }
        forms.append(data.map { String($0, radix: 16) }.joined())
        return forms.filter { har.text.lowercased().contains($0.lowercased()) }
    }

    @Test("No secret is in the file in plain text, percent-encoding, base64 or hexadecimal, wherever it was sent")
    func nowhere() async throws {
        @Sendable func secret(_ number: Int) -> String { "S3cr3t-\(1000 + number)-ü" }
        let boundary = "xyz"
        let multipart =
            "--xyz\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret(1))\r\n"
            + "--xyz\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"token\":\"\(secret(2))\"}\r\n"
            + "--xyz\r\nContent-Disposition: form-data; name=\"harmless\"\r\n\r\nkept\r\n--xyz--\r\n"
        let escaped = secret(3).utf8.map { "%" + String($0, radix: 16) }.joined()
        var marked: HTTPFields = [
            "X-Mine": secret(4), "Authorization": "Bearer \(secret(5))", "Cookie": "sid=\(secret(6)); theme=\(secret(7))",
        ]
        marked.markAsCredential("X-Mine")
        let basic = Data("me:\(secret(8))").base64EncodedString()
        let requests = [
            Har.request("https://me:\(secret(9).dropLast(2))@api.example/x?access_token=\(escaped)&page=1", headers: marked),
            Har.request(
                method: .post,
                headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)", "Proxy-Authorization": "Basic \(basic)"],
                body: HTTPBody(multipart)),
            Har.request(
                method: .post, headers: ["Content-Type": "application/x-www-form-urlencoded", "X-Api-Key": secret(10)],
                body: HTTPBody("user=ada&password=\(escaped)&page=2")),
            Har.request(
                method: .post, headers: ["Content-Type": "application/json"],
                body: HTTPBody(
                    #"{"user":"ada","deep":[{"clientSecret":"\#(secret(11))","pin":1234567}],"x":"{\"password\":\"\#(secret(12))\"}"}"#)),
            Har.request(method: .post, headers: ["Content-Type": "text/plain"], body: HTTPBody("password=\(secret(13))")),
        ]
        let mock = MockTransport { request in
            .json(
                #"{"access_token":"\#(secret(20))","expires":5,"session":{"id":"\#(secret(21))","n":7654321,"ok":true},"next":"https://a/?token=\#(secret(22))"}"#,
                headers: [
                    "Set-Cookie": "sid=\(secret(23)); Path=/; Secure", "Location": "/y?code=\(escaped)", "X-Refresh-Token": secret(24),
                    "Link": "<https://a/?token=\(escaped)>; rel=next",
                ])
        }
        let folder = try TemporaryFolder()
        let recorder = RecordingTransport(wrapping: mock, to: folder.file())
        for request in requests { _ = try await recorder.send(request) }
        let broken = RecordingTransport(
            wrapping: MockTransport(.failure(.invalidResponse("token=\(secret(25))"))), to: folder.file("broken.har"))
        await #expect(throws: HTTPError.self) { try await broken.send(Har.request()) }
        try await recorder.save()
        try await broken.save()
        let har = try Data(contentsOf: folder.file()) + Data(contentsOf: folder.file("broken.har"))
        for number in 1...25 { #expect(leaks(secret(number), in: har) == [], "secret \(number)") }
        for number in ["1234567", "7654321", basic] { #expect(!har.text.contains(number)) }
        for kept in ["kept", "user=ada", "page=1", "page=2", "Path=/; Secure", "rel=next", #"\"expires\":5"#] {
            #expect(har.text.contains(kept), "\(kept)")
        }
    }

    @Test(
        "Secrets in unusual places are masked",
        arguments: [
            ("text/event-stream", "data: {\"token\":\"hunter2\"}\n\n"),
            ("application/x-ndjson", "{\"id\":1}\n{\"password\":\"hunter2\"}\n"),
            ("multipart/form-data; boundary=other", "{\"token\":\"hunter2\"}"),
            ("", "{\"a\":{\"apiKey\":[\"hunter2\",{\"b\":\"hunter2\"}]}}"),
            ("application/json", "{\"token\":\"hunter2"), ("application/json", "\u{FEFF} {\"token\":\"hunter2\"}"),
            ("text/plain", "[{\"name\":\"password\",\"value\":\"hunter2\"}]"), ("application/xml", "<a><password>hunter2</password></a>"),
            ("application/x-www-form-urlencoded", "variables=%7B%22password%22%3A%22hunter2%22%7D"),
            ("application/x-www-form-urlencoded", "user%5Bpassword%5D=hunter2"),
            ("multipart/mixed; boundary=\"b\"", "--b\r\nContent-Disposition: form-data; name=token\r\n\r\nhunter2"),
        ])
    func places(type: String, body: String) async throws {
        let headers: HTTPFields = ["Location": "/x#access_token=hunter2&state=1", "X-Trace": "token=hunter2"]
        let request = Har.request(
            "https://api.example/x?variables=%7B%22password%22%3A%22hunter2%22%7D#token=hunter2", method: .post,
            headers: ["Content-Type": type, "Referer": "https://a.example/?token=hunter2"], body: HTTPBody(body))
        let har = try await Har.recorded(MockTransport(.data(Data(body), contentType: type, headers: headers)), request)
        #expect(!har.text.contains("hunter2"))
        #expect(har.text.contains("/x#access_token=%E2%80%B9redacted%E2%80%BA&state=1"))
        _ = try await ReplayTransport(har: har).send(request)
    }

    @Test("A masked value in a response keeps its type, and everything else keeps its bytes")
    func kinds() async throws {
        let json = #"{ "token" : "x", "pin":[1, 2.5], "session": {"ok": true, "none": null, "": ""}, "n": 1.0, "z": "é" }"#
        let har = try await Har.recorded(MockTransport(.json(json)), Har.request(method: .post, body: HTTPBody(json)))
        let entry = try Har.entry(of: har)
        #expect(
            entry["response"]?["content"]?["text"]?.stringValue
                == #"{ "token" : "‹redacted›", "pin":[0, 0], "session": {"ok": false, "none": null, "": ""}, "n": 1.0, "z": "é" }"#)
        #expect(
            entry["request"]?["postData"]?["text"]?.stringValue
                == #"{ "token" : "‹redacted›", "pin":["‹redacted›", "‹redacted›"], "session": {"ok": "‹redacted›", "none": null, "": ""}, "n": 1.0, "z": "é" }"#
        )
    }

    @Test("Custom names are masked everywhere, and a closure changes every text")
    func own() async throws {
        let redaction = CassetteRedaction.standard.hiding("Email", "x-customer").replacing { $0.replacing("Ada", with: "somebody") }
        let har = try await Har.recorded(
            MockTransport(.json(#"{"email":"a@b.example","name":"Ada"}"#, headers: ["X-Ada": "Ada"])),
            Har.request(
                "https://api.example/Ada?e%6Dail=a@b.example", method: .post,
                headers: ["X-Customer": "12345", "Content-Type": "application/x-www-form-urlencoded"], body: HTTPBody("EMAIL=a%40b.example")
            ),
            options: .init(redacting: redaction))
        for gone in ["b.example", "12345", "\"Ada\"", "example/Ada"] { #expect(!har.text.contains(gone), "\(gone)") }
        let entry = try Har.entry(of: har)
        #expect(entry["response"]?["content"]?["text"] == #"{"email":"‹redacted›","name":"somebody"}"#)
        #expect(entry["request"]?["url"] == "https://api.example/somebody?e%6Dail=%E2%80%B9redacted%E2%80%BA")
    }

    @Test("Secrets are written only on request")
    func optOut() async throws {
        let request = Har.request("https://api.example/x?token=abc", headers: ["Authorization": "Bearer xyz"])
        let har = try await Har.recorded(MockTransport(.text("password=1")), request, options: .init(redacting: .writingSecrets))
        let entry = try Har.entry(of: har)
        #expect(entry["request"]?["url"] == "https://api.example/x?token=abc")
        #expect(entry["request"]?["headers"]?[0]?["value"] == "Bearer xyz")
        #expect(entry["response"]?["content"]?["text"] == "password=1")
    }

    @Test("Text in Latin-1 is masked, and bodies that are not text are unchanged")
    func latin1() async throws {
        let text = Data("name=J\u{E9}&password=hunter2".unicodeScalars.map { UInt8($0.value) })
        let har = try await Har.recorded(
            MockTransport(.data(text, contentType: "text/plain; charset=iso-8859-1"), .data(text, contentType: "image/png")), Har.request(),
            Har.request())
        let replay = try ReplayTransport(har: har)
        let hidden = try await replay.send(Har.request()).body.collect()
        #expect(hidden.starts(with: Data([0x6E, 0x61, 0x6D, 0x65, 0x3D, 0x4A, 0xE9])) && hidden.firstRange(of: Data("hunter2")) == nil)
        #expect(try await replay.send(Har.request()).body.collect() == text)
    }

    @Test(
        "A masked part of a request matches any value, and the rest must be equal",
        arguments: ["application/json", "application/x-www-form-urlencoded", "text/plain", "multipart/form-data"])
    func matching(type: String) async throws {
        func request(_ secret: String, _ user: String, boundary: String) -> HTTPRequest {
            let body =
                switch type {
                case "application/json": #"{"password":"\#(secret)","pin":\#(secret.count),"user":"\#(user)"}"#
                case "application/x-www-form-urlencoded": "password=\(secret)&user=\(user)"
                case "text/plain": "password=\(secret)\nuser=\(user)"
                default:
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n"
                        + "--\(boundary)\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\n\(user)\r\n--\(boundary)--\r\n"
                }
            return Har.request(
                "https://api.example/x?token=\(secret)&next=a%3Ftoken%3D\(secret)", method: .post,
                headers: ["Content-Type": "\(type); boundary=\(boundary)"], body: HTTPBody(body))
        }
        let har = try await Har.recorded(MockTransport(.text("yes")), request("one", "ada", boundary: "b1"))
        #expect(try await ReplayTransport(har: har).send(request("another", "ada", boundary: "b2")).body.collect() == Data("yes"))
        let words = try await Har.refusal(try ReplayTransport(har: har), request("another", "bob", boundary: "b2"))
        #expect(words.contains("body") && !words.contains("another"))
    }

    private func part(_ head: String, _ content: String, line: String = "\r\n", boundary: String = "B") -> String {
        ["--\(boundary)", head, "", content, "--\(boundary)--", ""].joined(separator: line)
    }

    @Test("Multipart forms are masked, whatever their line endings, boundary and declared type")
    func parts() async throws {
        let field = #"Content-Disposition: form-data; name="password""#
        let bodies = [
            ("multipart/form-data; boundary=B", part(field, "hunter2", line: "\n")),
            ("multipart/form-data; boundary=C", part(field, "hunter2")),
            ("text/plain", part(field, "hunter2")), ("", part(field, "hunter2", boundary: "----WebKit")),
            ("multipart/form-data; boundary=B", part(#"Content-Disposition: form-data; name="x"; name*=utf-8''pass%77ord"#, "hunter2")),
            ("multipart/form-data; boundary=B", part("Content-Disposition: form-data; name*=password", "hunter2")),
            ("multipart/form-data; boundary=B", part(#"Content-Disposition: form-data; name="x"; name*=password"#, "hunter2")),
            ("multipart/form-data; boundary=B", part(#"Content-Disposition: form-data; name="x"; name*="UTF-8''password""#, "hunter2")),
            ("multipart/form-data; boundary=B", part(#"Content-Disposition: form-data; name="x"; name*=x-a''password"#, "hunter2")),
            ("multipart/mixed; boundary=B", part("Content-Disposition: attachment; name*=password", "hunter2")),
            ("multipart/mixed; boundary=B", part("Content-Disposition: attachment; name=user[password]", "hunter2")),
            ("multipart/form-data; boundary=B", part(#"Content-Disposition: form-data; name="password" x"#, "hunter2")),
            ("multipart/mixed; boundary=B", part("Content-Type: text/plain\r\nAuthorization: Bearer hunter2", "x")),
            ("multipart/mixed; boundary=B", "token=hunter2\r\n" + part("Content-Type: text/plain", "x")),
            ("multipart/mixed; boundary=B", part("Content-Type: text/plain", "x") + "token=hunter2"),
            ("multipart/mixed; boundary=B", part("Content-Type: multipart/form-data; boundary=D", part(field, "hunter2", boundary: "D"))),
        ]
        for (type, body) in bodies {
            let har = try await Har.recorded(
                MockTransport(.json("{}")), Har.request(method: .post, headers: [.contentType: type], body: HTTPBody(body)))
            #expect(!har.text.contains("hunter2"), "\(type)\n\(body)")
        }
    }

    @Test("Parts without a secret are written unchanged")
    func harmlessParts() async throws {
        let body =
            "preamble\r\n" + part(#"Content-Disposition: form-data; name="a""# + "\r\nX-Any:  odd  spaces", "--x\r\n\r\n--BB\n") + "end"
        let har = try await Har.recorded(
            MockTransport(.json("{}")),
            Har.request(method: .post, headers: [.contentType: "multipart/form-data; boundary=B"], body: HTTPBody(body)))
        let log = try JSONValue(parsing: har)
        #expect(log["log"]?["entries"]?[0]?["request"]?["postData"]?["text"]?.stringValue == body)
    }

    @Test("JSON in UTF-16 is masked, with and without a byte order mark", arguments: [[0xFE, 0xFF], [0xFF, 0xFE], [], [0]])
    func wideText(mark: [UInt8]) async throws {
        let isBigEndian = mark.first == 0xFE || mark.first == 0
        let units = #"{"password":"hunter2","a":"b"}"#.utf16.flatMap {
            isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
        }
        let body = Data((mark.count == 2 ? mark : []) + units)
        let secret = Data("hunter2".utf8)
        let har = try await Har.recorded(
            MockTransport { _ in .data(body, contentType: "application/json") }, Har.request())
        let content = try JSONValue(parsing: har)["log"]?["entries"]?[0]?["response"]?["content"]
        let text = content?["text"]?.stringValue ?? ""
        let written = content?["encoding"] == nil ? Data(text.utf8) : Data(base64Encoded: text) ?? Data()
        #expect(!written.isEmpty && written.filter { $0 != 0 }.firstRange(of: secret) == nil)
    }

    @Test("Secret parameters of a challenge are masked, and clients can still read the rest")
    func challenges() async throws {
        let value = #"Bearer realm="a", error_description="try again", access_token="hunter2", Negotiate, Digest nonce="n""#
        let har = try await Har.recorded(MockTransport(.status(401, headers: ["WWW-Authenticate": value])), Har.request())
        let fields = try JSONValue(parsing: har)["log"]?["entries"]?[0]?["response"]?["headers"]?.arrayValue ?? []
        let written = fields.first { $0["name"]?.stringValue?.lowercased() == "www-authenticate" }?["value"]?.stringValue
        #expect(written == #"Bearer realm="a", error_description="try again", access_token=‹redacted›, Negotiate, Digest nonce="n""#)
    }

    @Test(
        "A body in UTF-16 is masked, whatever its type and characters, and becomes UTF-8",
        arguments: ["", "application/json"])
    func wideBodies(type: String) throws {
        let units = Array("\u{FEFF}{\"größe\":1,\"password\":\"s3cret\"}".utf16)
        let body = Data(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let masked = CassetteRedaction.standard.body(body, type: type, isAnswer: true)
        #expect(String(validUTF8: masked) == "{\"größe\":1,\"password\":\"\(Redaction.mask)\"}")
    }

    @Test("Nested multipart bodies are masked, and parsed up to a limit")
    func nestedParts() {
        var body = ""
        for level in 0..<2_000 { body += "--\(10_000 + level)\n\n" }
        let masked = CassetteRedaction.standard.body(Data((body + "password=s3cret").utf8), type: "", isAnswer: false)
        #expect(!String(decoding: masked, as: UTF8.self).contains("s3cret"))
    }

    @Test("An undeclared multipart body with a preamble is masked, although it is not text")
    func preamble() {
        let part = "\r\n--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--B\r\nContent-Type: image/png\r\n\r\n"
        let body = Data(part.utf8) + [0xFF, 0xD8, 0xFF] + Data("\r\n--B--\r\n".utf8)
        let masked = CassetteRedaction.standard.body(body, type: "", isAnswer: false)
        #expect(!String(latin1: masked).contains("s3cret") && masked.range(of: Data([0xFF, 0xD8, 0xFF])) != nil)
    }

    @Test("Secrets in a challenge are masked after a comma in quotes, and as a word without a name")
    func challenges() {
        let redaction = CassetteRedaction.standard
        for value in [
            "Bearer error_description=\"expired, access_token=s3cret is invalid\"", "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s3cret",
        ] {
            var fields = HTTPFields()
            fields.append("WWW-Authenticate", value)
            #expect(fields.first.map { redaction.value(of: $0).contains("s3cret") } == false, "\(value)")
        }
    }
}
