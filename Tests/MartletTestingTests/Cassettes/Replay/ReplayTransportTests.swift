import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("Replaying", .timeLimit(.minutes(5))) struct ReplayTransportTests {
    private let har = Har.log(
        Har.entry("GET", "https://api.example/users?page=1&q=a", response: #""content":{"text":"one"}"#),
        Har.entry(
            "POST", "https://api.example/users",
            request: #""postData":{"mimeType":"application/json","text":"{\"name\":\"Ada\",\"at\":1}"}"#,
            response: #""content":{"text":"two"}"#),
        Har.entry("GET", "https://api.example/users?page=1&q=a", response: #""content":{"text":"three"}"#))

    private let first = Har.request("https://api.example:443/users?q=a&page=1")
    private let second = Har.request("https://api.example/users", method: .post, body: HTTPBody(#"{"at":1.0,"name":"Ada"}"#))

    private func text(_ transport: some Transport, _ request: HTTPRequest) async throws -> String {
        try await transport.send(request).body.collect().text
    }

    @Test("With the strict rule, each entry is used once, in order, by method, URL and body")
    func strict() async throws {
        let replay = try ReplayTransport(har: har)
        #expect(replay.count == 3)
        #expect(try await text(replay, first) == "one")
        #expect(try await text(replay, second) == "two")
        let unused = #expect(throws: UnusedStubsError.self) { try replay.verify() }
        #expect(unused?.stubs == ["entry 3: GET https://api.example/users?page=1&q=a"])
        #expect(try await text(replay, first) == "three")
        try replay.verify()
        #expect(replay.requests.map(\.method) == [.get, .post, .get])
        #expect(try await Har.refusal(replay, first).contains("the recording is at its end: entry 3: GET"))
        #expect(try await Har.refusal(ReplayTransport(har: Har.log()), first).contains("the recording is empty"))
    }

    @Test("The error of a request out of order names the next entry, the differences, and the entry that would match")
    func outOfTurn() async throws {
        let replay = try ReplayTransport(har: har)
        #expect(
            try await Har.refusal(replay, second) == """
                no recorded request matches POST https://api.example/users
                next in the recording:
                  entry 1: GET https://api.example/users?page=1&q=a
                    method: expected GET, found POST
                    query page: expected page=1, found none
                    query q: expected q=a, found none
                    body: expected no body, found {"at":1.0,"name":"Ada"}
                entry 2: POST https://api.example/users would match, but its turn has not come
                0 of 3 recorded requests used, 3 unused
                """)
        _ = try await replay.send(first)
        let other = Har.request("https://api.example/users", method: .post, body: HTTPBody(#"{"at":1,"name":"Bob","x":[]}"#))
        #expect(
            try await Har.refusal(replay, other) == """
                no recorded request matches POST https://api.example/users
                next in the recording:
                  entry 2: POST https://api.example/users
                    body /name: expected "Ada", found "Bob"
                    body /x: expected nothing, found []
                1 of 3 recorded requests used, 2 unused
                """)
        #expect(try await Har.refusal(replay, first).contains("entry 3: GET https://api.example/users?page=1&q=a would match"))
    }

    @Test("By method and URL, entries are used once in any order, and the error names the nearest one")
    func methodAndURL() async throws {
        let replay = try ReplayTransport(har: har, matching: .methodAndURL)
        #expect(try await text(replay, second) == "two")
        #expect(try await text(replay, first) == "one")
        #expect(try await text(replay, first) == "three")
        let words = try await Har.refusal(replay, first)
        #expect(words.contains("use: expected once, found a further request; see MatchingRule.repeating()"))
        #expect(words.hasSuffix("3 of 3 recorded requests used, 0 unused"))
        let near = try await Har.refusal(replay, Har.request("https://api.example/users?page=2&q=a"))
        #expect(
            near.contains(
                """
                nearest in the recording:
                  entry 1: GET https://api.example/users?page=1&q=a
                    query page: expected page=1, found page=2
                """))
    }

    @Test("With repetition, the last matching entry is used again; in order, the recording starts again")
    func repeating() async throws {
        let any = try ReplayTransport(har: har, matching: .methodAndURL.repeating())
        var texts: [String] = []
        for _ in 0..<4 { texts.append(try await text(any, first)) }
        #expect(texts == ["one", "three", "three", "three"])
        let strict = try ReplayTransport(har: har, matching: .strict.repeating())
        for _ in 0..<2 {
            #expect(try await text(strict, first) == "one")
            #expect(try await text(strict, second) == "two")
            #expect(try await text(strict, first) == "three")
        }
    }

    @Test("Requests can be matched by method and path, or by custom parts")
    func parts() async throws {
        let elsewhere = Har.request("http://localhost:8080/users?other=1")
        #expect(try await text(ReplayTransport(har: har, matching: .methodAndPath), elsewhere) == "one")
        let headers = Har.log(
            Har.entry(request: #""headers":[{"name":"Accept-Language","value":"de"}]"#, response: #""content":{"text":"Hallo"}"#),
            Har.entry(request: #""headers":[{"name":"accept-language","value":"en"}]"#, response: #""content":{"text":"Hello"}"#))
        let rule = MatchingRule(.method, .url, .headers(["Accept-Language"]))
        let replay = try ReplayTransport(har: headers, matching: rule)
        #expect(try await text(replay, Har.request(headers: ["Accept-Language": "en"])) == "Hello")
        let words = try await Har.refusal(replay, Har.request(headers: ["Accept-Language": "fr"]))
        #expect(words.contains("header Accept-Language: expected de, found fr"))
        #expect(words.contains("header Accept-Language: expected en, found fr"))
        #expect(
            try await Har.refusal(replay, Har.request("http://api.example/x")).contains(
                "origin: expected https://api.example:443, found http://api.example:80"))
        let anything = try ReplayTransport(har: har, matching: MatchingRule(.body))
        #expect(try await text(anything, Har.request("https://b.example/y", method: .delete)) == "one")
    }

    @Test("Ignored names do not count in query, form and JSON")
    func ignoring() async throws {
        let rule = MatchingRule.strict.ignoring("at", "page")
        let replay = try ReplayTransport(har: har, matching: rule)
        _ = try await replay.send(Har.request("https://api.example/users?q=a&page=77"))
        _ = try await replay.send(Har.request("https://api.example/users", method: .post, body: HTTPBody(#"{"at":999,"name":"Ada"}"#)))
    }

    @Test("A replay keeps the contract of transports: deliveries, limits, methods without body, cancellation")
    func contract() async throws {
        func replay(_ content: String = #""content":{"text":"abcdef"}"#) throws -> ReplayTransport {
            try ReplayTransport(har: Har.log(Har.entry(response: content)), matching: MatchingRule())
        }
        #expect(try await replay().send(Har.request()).body.buffered == Data("abcdef"))
        let streamed = try await replay().send(Har.request(isStreamed: true))
        #expect(streamed.body.buffered == nil && streamed.metadata.request != nil)
        #expect(try await streamed.body.collect() == Data("abcdef"))
        #expect(try await replay().send(Har.request(method: .head)).body.buffered == Data())
        var small = Har.request()
        small.context.limits.bodyBytes = 3
        let (limited, request) = (try replay(), small)
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(limit: 3))) { try await limited.send(request) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await replay().send(Har.request())
        }
        await #expect(throws: HTTPError.cancelled) { try await task.value }
    }

    @Test("With recorded timing, a response takes the recorded time on the given time source")
    func timing() async throws {
        let entry = Har.entry(
            response: #""content":{"text":"x"}"#,
            more: #""timings":{"blocked":1,"dns":2,"connect":4,"ssl":3,"send":8,"wait":16.5,"receive":32}"#)
        let time = ManualTime()
        let replay = try ReplayTransport(har: Har.log(entry, entry), keepsTiming: true, time: time)
        _ = try await replay.send(Har.request())
        #expect(time.sleeps == [.microseconds(31_500), .milliseconds(32)])
        let quick = ManualTime()
        _ = try await ReplayTransport(har: Har.log(entry), time: quick).send(Har.request())
        #expect(quick.sleeps.isEmpty)
    }

    @Test("The HTTP version and the server's address are replayed")
    func metadata() async throws {
        let entry = Har.entry(response: #""httpVersion":"h2""#, more: #""serverIPAddress":"127.0.0.1""#)
        let response = try await ReplayTransport(har: Har.log(entry)).send(Har.request())
        #expect(response.metadata.version == .http2 && response.metadata.remoteAddress == "127.0.0.1")
    }

    @Test(
        "Numbers are compared with all their digits, in any notation",
        arguments: [
            ("1", "1.0", true), ("100", "1e2", true), ("-0", "0", true), ("0.5e1", "50E-1", true), ("1e400", "10e399", true),
            ("9223372036854775808", "9223372036854775809", false), ("0.12345678901234567", "0.12345678901234568", false),
            ("1e400", "1e401", false), ("1e99999999999999999999", "1", false), ("-1", "1", false),
            ("12345678901234567890123", "12345678901234567890123", true),
        ])
    func numbers(recorded: String, sent: String, fits: Bool) async throws {
        let har = Har.log(Har.entry("POST", request: #""postData":{"mimeType":"application/json","text":"{\"n\":\#(recorded)}"}"#))
        let replay = try ReplayTransport(har: har)
        let request = Har.request(method: .post, body: HTTPBody(#"{"n":\#(sent)}"#))
        guard !fits else { _ = try await replay.send(request); return }
        #expect(try await Har.refusal(replay, request).contains("body /n: expected \(recorded), found \(sent)"))
    }

    @Test("Of a thousand entries, each is used once, whatever the order of the requests")
    func manyEntries() async throws {
        let entries = (0..<1000).map { Har.entry("GET", "https://api.example/\($0)", response: #""content":{"text":"\#($0)"}"#) }
        let har = Data(#"{"log":{"version":"1.2","creator":{"name":"x"},"entries":[\#(entries.joined(separator: ","))]}}"#.utf8)
        let replay = try ReplayTransport(har: har, matching: .methodAndURL)
        for number in (0..<500).map({ $0 * 2 + 1 }) + (0..<500).map({ $0 * 2 }) {
            #expect(try await text(replay, Har.request("https://api.example/\(number)")) == "\(number)")
        }
        try replay.verify()
    }
}
