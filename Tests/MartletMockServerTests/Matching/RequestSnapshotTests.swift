import Foundation
import Martlet
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestSnapshotTests {
    @Test("A snapshot prints method, URL, sorted fields and JSON with sorted keys, with secrets masked")
    func golden() {
        let request = RequestSnapshot(
            method: .post, url: "https://api.example.com/users?page=2&token=s3cret",
            headers: ["Content-Type": "application/json", "Accept": "*/*", "Authorization": "Bearer s3cret", "X-B": "2", "x-b": "1"],
            body: Data(#"{"name":"Ada","address":{"zip":"1/2"},"password":"s3cret"}"#.utf8))
        #expect(
            request.description == """
                POST https://api.example.com/users?page=2&token=‹redacted›
                accept: */*
                authorization: ‹redacted›
                content-type: application/json
                x-b: 2
                x-b: 1

                {
                  "address": {
                    "zip": "1/2"
                  },
                  "name": "Ada",
                  "password": "‹redacted›"
                }
                """)
        #expect("\(request)" == String(reflecting: request))
    }

    @Test("Forms are printed by field, text unchanged, and other bodies as size and checksum")
    func bodies() {
        func body(_ type: String, _ data: Data) -> String {
            RequestSnapshot(url: "/", headers: [.contentType: type], body: data).description.split(separator: "\n", maxSplits: 3)
                .dropFirst(2).joined(separator: "\n")
        }
        #expect(body("application/x-www-form-urlencoded", Data("b=1%20+2&password=s3cret&c".utf8)) == "b=1  2\npassword=‹redacted›\nc")
        #expect(body("text/plain", Data("héllo".utf8)) == "héllo")
        #expect(body("application/json", Data("{broken".utf8)) == "{broken")
        #expect(
            body("application/json", Data("[123456789012345678901.50, {}, []]".utf8)).contains("  123456789012345678901.50,\n  {},\n  []"))
        #expect(body("text/plain", Data("a\u{1B}[2Jb\r\n\tc".utf8)) == "a\\u{1B}[2Jb\\r\n\tc")
        #expect(body("image/png", Data("123456789".utf8) + [0xFF]).hasPrefix("10 bytes, CRC-32 "))
        #expect(RequestSnapshot(url: "/x").description == "GET /x")
    }

    @Test("The parts of the URL are read from full URLs and from targets")
    func parts() {
        let full = RequestSnapshot(url: "https://h.example:81/a%20b?x=1%202&y&z=a=b#f")
        #expect(full.path == "/a%20b" && full.query.encoded == "x=1%202&y&z=a=b" && full.authority == "h.example:81")
        #expect(Array(full.query) == [.init(name: "x", value: "1 2"), .init(name: "y", value: nil), .init(name: "z", value: "a=b")])
        let target = RequestSnapshot(url: "/p?u=http://other/", headers: [.host: "h:1"])
        #expect(target.path == "/p" && target.authority == "h:1" && target.query == ["u": "http://other/"])
        #expect(RequestSnapshot(url: "https://h").path == "/" && RequestSnapshot(url: "https://h?a").query.encoded == "a")
        #expect(
            RequestSnapshot(url: "/%zz%4").path == "/%zz%4"
                && RequestSnapshot(url: "/?%zz=%4").query == ["%zz": "%4"])
    }

    @Test("The transport's and the server's snapshot of a request are equal")
    func bothEnds() async throws {
        let server = try await MockServer.start { _ in .status(204) }
        let transport = MockTransport(.status(204))
        let request = Request<EmptyResponse>.put("a b/\("c/d")", query: ["q": "ü&1"], body: .json(["n": 1]))
        for client in [HTTPClient(baseURL: server.url), HTTPClient(baseURL: server.url, transport: transport)] {
            try await client.send(request)
        }
        let matcher = RequestMatcher.put("/a b/{c}").query("q", "ü&1").json(["n": 1]).host("127.0.0.1:\(server.port)")
        #expect(server.requests.first.differences(from: matcher).isEmpty)
        #expect(transport.requests.first.differences(from: matcher).isEmpty)
        await server.stop()
    }

    @Test("A multipart form shows no password in the snapshot or in a report")
    func formInParts() {
        let body = "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--B--\r\n"
        let request = RequestSnapshot(
            method: .post, url: "/", headers: [.contentType: "multipart/form-data; boundary=B"], body: Data(body.utf8))
        #expect(request.description.contains("name=\"password\"") && !request.description.contains("hunter2"))
        let report = "\(request.differences(from: .any.body("x")))\(RequestMatcher.any.body(body))"
        #expect(report.contains("name=\"password") && !report.contains("hunter2"))
    }
}
