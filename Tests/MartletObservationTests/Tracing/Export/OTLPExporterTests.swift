import Foundation
import MartletObservation
import MartletTesting
import Testing

@Suite("OTLPExporter", .timeLimit(.minutes(5)))
struct OTLPExporterTests {
    private let time = ManualTime()

    private func exporter(
        _ transport: MockTransport, queue: Int = 2_048, batch: Int = 512, delay: Duration = .seconds(5), attempts: Int = 5
    ) -> OTLPExporter {
        OTLPExporter(
            url: URL(string: "http://collector:4318/v1/traces")!, service: "shop", resource: ["service.version": "1.2"],
            headers: ["X-Key": "k"], maxQueuedSpans: queue, maxBatchSpans: batch, batchDelay: delay, maxAttempts: attempts,
            transport: transport, time: time, random: SeededRandom(seed: 1))
    }

    private func add(_ count: Int, to exporter: OTLPExporter) {
        let tracer = SpanTracer(exporter)
        for number in 0..<count {
            let span = tracer.startSpan(
                "s\(number)", kind: .client, parent: nil, attributes: [("n", .int(Int64(number))), ("t", "x"), ("l", .strings(["a"]))],
                start: time.now)
            span.addEvent("e", attributes: ["d": 0.5], at: time.now)
            span.fail("why")
            span.end(at: time.now.addingTimeInterval(1))
        }
    }

    private func spans(_ request: HTTPRequest) throws -> JSONArray {
        let json = try JSONValue(parsing: try #require(request.body?.buffered))
        return try #require(json["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]?.arrayValue)
    }

    @Test("A span is written with hexadecimal identifiers, 64-bit integers as text and numbers for enumerations")
    func text() async throws {
        let transport = MockTransport(.json("{}"))
        let exporter = exporter(transport)
        add(1, to: exporter)
        await exporter.flush()
        let request = try #require(transport.requests.first)
        #expect(request.method == .post && request.headers[.contentType] == "application/json" && request.headers["X-Key"] == "k")
        let span = try #require(try spans(request).first)
        #expect(span["traceId"]?.stringValue?.count == 32 && span["spanId"]?.stringValue?.count == 16)
        #expect(span["kind"] == 3 && span["flags"] == 1 && span["status"] == ["message": "why", "code": 2])
        #expect(span["startTimeUnixNano"] == "1767225600000000000" && span["endTimeUnixNano"] == "1767225601000000000")
        #expect(span["attributes"]?[1] == ["key": "n", "value": ["intValue": "0"]])
        #expect(span["events"]?[0]?["attributes"]?[0] == ["key": "d", "value": ["doubleValue": 0.5]])
        #expect(exporter.statistics.sent == 1 && exporter.statistics.dropped == 0)
    }

    @Test("Spans wait for others until the batch is full or the delay has passed")
    func batches() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let exporter = exporter(transport, batch: 3)
        add(2, to: exporter)
        #expect(time.timerCount == 1 && transport.requests.isEmpty)
        time.advance(by: .seconds(5))
        try await transport.waitForRequests(1)
        await exporter.flush()
        add(7, to: exporter)
        await exporter.flush()
        let counts = try transport.requests.map { try spans($0).count }
        #expect(counts.first == 2 && counts.reduce(0, +) == 9 && counts.allSatisfy { $0 <= 3 })
        #expect(exporter.statistics.sent == 9)
    }

    @Test("A full queue drops spans and counts them")
    func bounded() async throws {
        let transport = MockTransport(.silence)
        let exporter = exporter(transport, queue: 10, batch: 10)
        add(10, to: exporter)
        try await transport.waitForRequests()
        add(15, to: exporter)
        #expect(exporter.statistics.dropped == 5)
        let end = Task { await exporter.shutdown(within: .seconds(1)) }
        // The time limits of the request and of the shutdown.
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        await end.value
        #expect(exporter.statistics.dropped == 25 && exporter.statistics.sent == 0)
    }

    @Test("A batch is sent again after Retry-After or a growing wait")
    func retries() async throws {
        let transport = MockTransport(
            .status(429, headers: ["Retry-After": "7"]), .failure(.networkError(.init(.connectionRefused))), .status(503), .json("{}"))
        let exporter = exporter(transport)
        add(1, to: exporter)
        await exporter.flush()
        #expect(transport.requests.count == 4 && exporter.statistics.sent == 1)
        #expect(time.sleeps.first == .seconds(7) && time.sleeps.count == 3)
        #expect((.seconds(1) ... .seconds(2)).contains(time.sleeps[1]) && (.seconds(2) ... .seconds(4)).contains(time.sleeps[2]))
    }

    @Test("A batch is dropped after a status that does not pass, or after all attempts", arguments: [(400, 1), (503, 5)])
    func givesUp(status: Int, attempts: Int) async throws {
        let transport = MockTransport { _ in .status(HTTPStatus(rawValue: status)) }
        let exporter = exporter(transport)
        add(2, to: exporter)
        await exporter.flush()
        #expect(transport.requests.count == attempts)
        #expect(exporter.statistics.dropped == 2 && exporter.statistics.lastFailure?.contains("\(status)") == true)
    }

    @Test("A partial success counts the rejected spans")
    func partial() async throws {
        let exporter = exporter(MockTransport(.json(#"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}"#)))
        add(5, to: exporter)
        await exporter.flush()
        #expect(exporter.statistics.sent == 3 && exporter.statistics.rejected == 2 && exporter.statistics.lastFailure == "too old")
    }

    @Test("A redirect is not followed, so that spans and credentials go only to the collector", arguments: [301, 303, 307, 308])
    func redirects(status: Int) async throws {
        let transport = MockTransport { request in
            request.url.host == "collector" ? .status(HTTPStatus(rawValue: status), headers: ["Location": "http://evil/"]) : .json("{}")
        }
        let exporter = exporter(transport)
        add(1, to: exporter)
        await exporter.flush()
        #expect(transport.requests.count == 1 && exporter.statistics.sent == 0 && exporter.statistics.dropped == 1)
    }

    @Test("Limits below 1 count as 1")
    func smallLimits() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let exporter = exporter(transport, queue: 0, batch: -1, delay: .seconds(-1), attempts: 0)
        for _ in 0..<3 {
            add(1, to: exporter)
            await exporter.flush()
        }
        #expect(exporter.statistics.sent == 3 && transport.requests.count == 3)
    }

    @Test("A wait that the server asks for is limited")
    func longWait() async throws {
        let transport = MockTransport(.status(503, headers: ["Retry-After": "86400"]), .json("{}"))
        let exporter = exporter(transport)
        add(1, to: exporter)
        await exporter.flush()
        #expect(time.sleeps == [.seconds(60)] && exporter.statistics.sent == 1)
    }

    @Test("A negative time counts as zero: the wait that the server asks for is not negative")
    func negativeTimes() async throws {
        let transport = MockTransport(.status(503, headers: ["Retry-After": "9"]), .json("{}"))
        let exporter = OTLPExporter(
            url: URL(string: "http://collector:4318/v1/traces")!, service: "shop", batchDelay: .seconds(-1), maxServerWait: .seconds(-1),
            transport: transport, time: time, random: SeededRandom(seed: 1))
        add(1, to: exporter)
        await exporter.flush()
        #expect(time.sleeps.allSatisfy { $0 >= .zero } && exporter.statistics.sent == 1)
    }

    @Test("A response that is too large or nested too deep fails or is ignored, and secrets are not in the failure")
    func hostileCollector() async throws {
        let large = String(repeating: " ", count: 2_000_000), deep = String(repeating: "[", count: 500_000)
        let transport = MockTransport(
            .json(large), .json(deep), .json(#"{"partialSuccess":{"rejectedSpans":"-9e99","errorMessage":"a\nb token=s3cret"}}"#),
            .json(#"{"partialSuccess":{"rejectedSpans":99}}"#))
        let exporter = OTLPExporter(
            url: URL(string: "http://collector/v1/traces?api_key=s3cret")!, service: "shop",
            headers: ["Authorization": "Bearer s3cret"], maxAttempts: 1, transport: transport, time: time)
        var failures: [String?] = []
        for _ in 0..<4 {
            add(1, to: exporter)
            await exporter.flush()
            failures.append(exporter.statistics.lastFailure)
        }
        #expect(exporter.statistics.dropped == 1 && exporter.statistics.sent == 2 && exporter.statistics.rejected == 1)
        #expect(!"\(failures)".contains("s3cret") && failures.compactMap(\.self).allSatisfy { !$0.contains("\n") })
    }

    @Test("A shutdown sends what waits and refuses more")
    func shutdown() async throws {
        let transport = MockTransport(.json("{}"))
        let exporter = exporter(transport)
        add(2, to: exporter)
        await exporter.shutdown()
        add(1, to: exporter)
        await exporter.flush()
        #expect(transport.requests.count == 1 && exporter.statistics.sent == 2 && exporter.statistics.dropped == 1)
    }
}
