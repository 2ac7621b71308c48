import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("HARObserver", .timeLimit(.minutes(5)))
struct HARObserverTests {
    private func client(_ observer: HARObserver, _ replies: MockReply...) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport(replies: replies), observers: [observer])
    }

    @Test("Each attempt is an entry with the number of its call, and secrets are masked")
    func entries() async throws {
        let observer = HARObserver()
        let client = client(observer, .status(302, headers: [.location: "/b?token=s3cret"]), .json(#"{"password":"s3cret"}"#))
        _ = try await client.send(Request<Data>.get("a"))
        let har = try JSONValue(parsing: observer.har())
        let entries = har["log"]?["entries"]?.arrayValue ?? []
        #expect(entries.map { $0["_attempt"] } == [1, 2])
        #expect(entries.map { $0["response"]?["status"] } == [302, 200])
        #expect(entries.first?["_call"] == har["log"]?["_calls"]?[0]?["id"])
        #expect(!String(decoding: observer.har(), as: UTF8.self).contains("s3cret"))
    }

    @Test("The texts of errors are their kinds and coding paths, unless the detail asks for more")
    func errors() async throws {
        func recording(_ observer: HARObserver) async -> String {
            let client = client(observer, .json(#"{"id":"a"}"#), .failure(.invalidResponse("the server's words")))
            struct User: Decodable, Sendable { let id: Int }
            for _ in 0..<2 { _ = await client.result(of: Request<User>.get("a")) }
            return String(decoding: observer.har(), as: UTF8.self)
        }
        let outline = await recording(HARObserver())
        #expect(outline.contains(#""text": "Decoding failed at id""#) && outline.contains(#""text": "Invalid response""#))
        #expect(!outline.contains("words") && !outline.contains("was expected"))
        let basic = await recording(HARObserver(detail: .basic))
        #expect(basic.contains("the server's words") && basic.contains("was expected"))
    }

    @Test("A body that is not in memory is left out, and the reason is not a limit that it keeps")
    func streamed() async throws {
        let observer = HARObserver()
        let body = HTTPBody(length: 298) { nil }
        _ = try await client(observer, .json("{}")).send(Request<Data>.post("a", body: .stream(body)))
        let data = try JSONValue(parsing: observer.har())["log"]?["entries"]?[0]?["request"]?["postData"]
        #expect(data?["comment"] == "left out: 298 bytes of a stream or file" && data?["_leftOut"] == true)
    }

    /// A transport that reports the phases of an exchange.
    private struct Measured: Transport {
        let timings: ResponseMetadata.Timings
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            var response = HTTPResponse(status: .ok, headers: [:], body: HTTPBody("a"))
            response.metadata.timings = timings
            return response
        }
    }

    @Test(
        "The time of an entry is the sum of its timings, in which TLS is a part of connecting",
        arguments: [
            .init(
                queued: .microseconds(5_001), nameLookup: .milliseconds(2), connect: .milliseconds(3), tls: .nanoseconds(4_000_400),
                firstByte: .milliseconds(30), total: .milliseconds(40)),
            .init(queued: .milliseconds(50), firstByte: .milliseconds(60), total: .milliseconds(70)),
            .init(
                nameLookup: .nanoseconds(1_400), connect: .nanoseconds(1_400), firstByte: .nanoseconds(4_200), total: .nanoseconds(5_600)),
            .init(queued: .milliseconds(90), total: .milliseconds(40)), .init(),
        ] as [ResponseMetadata.Timings])
    func times(timings: ResponseMetadata.Timings) async throws {
        let observer = HARObserver(), transport = Measured(timings: timings)
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: transport, observers: [observer])
        _ = try await client.send(Request<Data>.get("a"))
        let entry = try #require(JSONValue(parsing: observer.har())["log"]?["entries"]?[0])
        let phases = ["blocked", "dns", "connect", "send", "wait", "receive"].map { entry["timings"]?[$0]?.doubleValue ?? .nan }
        let sum = phases.reduce(0) { $0 + max(0, $1) }
        #expect(try abs(#require(entry["time"]?.doubleValue) - sum) < 0.000_1, "\(entry)")
    }

    @Test("The number of calls and their bytes are bounded")
    func bounds() async throws {
        let observer = HARObserver(maxCalls: 5, maxBytes: 30_000, maxBodyBytes: 8_000)
        let transport = MockTransport { _ in .text(String(repeating: "a", count: 20_000)) }
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: transport, observers: [observer])
        for number in 1...8 { _ = try await client.send(Request<Data>.get("\(number)")) }
        #expect(observer.callCount == 3)
        let content = try JSONValue(parsing: observer.har())["log"]?["entries"]?[0]?["response"]?["content"]
        #expect(content?["size"] == 20_000)
        #expect(content?["_isTruncated"] == true)
        #expect(content?["text"]?.stringValue?.utf8.count == 8_000)
    }

    @Test("A cassette replays the recording")
    func replay() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let observer = HARObserver()
        _ = try await client(observer, .json(#"{"a":1}"#)).send(Request<Data>.get("a"))
        try observer.write(to: file)
        let replayed = HTTPClient(baseURL: URL(string: "https://h")!, transport: try ReplayTransport(contentsOf: file))
        #expect(try await replayed.send(Request<Data>.get("a")) == Data(#"{"a":1}"#.utf8))
    }
}
