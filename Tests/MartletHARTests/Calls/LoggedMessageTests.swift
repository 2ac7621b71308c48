import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletHAR

@Suite("Messages of WebSockets in recordings", .timeLimit(.minutes(5)))
struct LoggedMessageTests {
    private struct Log: CallObserver {
        let log: CallLog
        func observe(_ event: CallEvent, of call: CallInfo) { log.add(event, of: call) }
    }

    private static let maxBytes = 200_000
    private let time = ManualTime()
    private let log: CallLog

    init() { log = CallLog(limits: .init(calls: 50, bytes: LoggedMessageTests.maxBytes, bodyBytes: 100), time: time) }

    /// Opens a connection as a call, or as the next connection of one.
    private func connect(_ old: ObservedCall? = nil) -> ObservedCall {
        let call =
            old
            ?? ObservedCall(
                .webSocket, name: "GET chat", pathTemplate: "chat", operations: [], tags: [], observers: [Log(log: log)], time: time)
        let fields: HTTPFields = ["Upgrade": "websocket", "Sec-WebSocket-Protocol": "chat.v2, \"x\"", "X-Room": "7"]
        let request = HTTPRequest(url: URL(string: "https://h/chat")!, headers: fields)
        if old == nil { call.started(request) }
        let attempt = call.record.beginAttempt(request)
        let head = HTTPResponse(status: 101, headers: ["Upgrade": "websocket"], body: ())
        call.record.notify?(.headReceived(attempt.number, head))
        call.record.endAttempt(attempt, of: request, .status(101), head.metadata)
        time.advance(by: .seconds(1))
        return call
    }

    private func exchange(_ direction: CallMessage.Direction, _ content: Data, isText: Bool = true, in call: ObservedCall) {
        call.record.notify?(.message(CallMessage(direction, content: content, isText: isText)))
        time.advance(by: .seconds(1))
    }

    private func entries() throws -> JSONArray {
        try JSONValue(parsing: log.har(redaction: .standard))["log"]?["entries"]?.arrayValue ?? []
    }

    @Test("The entry of a connection has its messages as browsers write them, with secrets masked, and its call has them only there")
    func entry() throws {
        let call = connect()
        exchange(.sent, Data(#"{"token":"s3cret","n":1}"#.utf8), in: call)
        exchange(.received, Data([0, 255]), isText: false, in: call)
        let entry = try entries()[0], start = try #require(log.snapshot.calls.first).info.start.timeIntervalSince1970
        #expect(entry["_resourceType"] == "websocket")
        #expect(
            entry["_webSocketMessages"] == [
                ["type": "send", "time": .number(start + 1), "opcode": 1, "data": #"{"token":"‹redacted›","n":1}"#, "_size": 24],
                ["type": "receive", "time": .number(start + 2), "opcode": 2, "data": "AP8=", "_size": 2],
            ])
        let recorded = try JSONValue(parsing: log.har(redaction: .standard))["log"]?["_calls"]?[0]
        #expect(recorded?["stream"] == nil && recorded?["streamCount"] == 2)
    }

    @Test("Each connection of a call has the messages that were exchanged on it, and a refusal has none")
    func connections() throws {
        let call = connect()
        exchange(.received, Data("one".utf8), in: call)
        let request = HTTPRequest(url: URL(string: "https://h/chat")!)
        call.record.endAttempt(call.record.beginAttempt(request), of: request, .status(503))
        _ = connect(call)
        exchange(.received, Data("two".utf8), in: call)
        let lists = try entries().map { $0["_webSocketMessages"]?.arrayValue?.map { $0["data"] } }
        #expect(lists == [["one"], nil, ["two"]])
    }

    @Test("A message is kept up to the limit for bodies, without a part of a character or a secret")
    func limit() throws {
        let call = connect()
        exchange(.received, Data((String(repeating: "a", count: 99) + "é").utf8), in: call)
        exchange(.received, Data((#"{"password":""# + String(repeating: "s3cret", count: 40)).utf8), in: call)
        let messages = try #require(try entries()[0]["_webSocketMessages"])
        #expect(messages[0]?["data"] == .string(String(repeating: "a", count: 99)))
        #expect(messages[0]?["_size"] == 101 && messages[0]?["_isTruncated"] == true && messages[1]?["_size"] == 253)
        #expect(messages[1]?["data"]?.stringValue?.contains("s3cret") == false)
    }

    @Test("The newest messages of a long connection stay within the limit for memory, and all are counted")
    func memory() throws {
        let call = connect()
        for number in 0..<5_000 { exchange(.sent, Data("\(number) \(String(repeating: "a", count: 90))".utf8), in: call) }
        let logged = try #require(log.snapshot.calls.first)
        #expect(logged.events.count > 100 && logged.events.count < 500 && logged.eventCount == 5_000)
        #expect(log.bytes < LoggedMessageTests.maxBytes / 2)
        call.ended(.success(nil))
        let members = CallMembers(redaction: .standard).value(of: try #require(log.snapshot.calls.first), hasBodies: true)
        #expect(members["kind"] == "websocket" && members["outcome"] == "5000 messages" && members["streamCount"] == 5_000)
        #expect(members["bytes"] == ["sent": 473_890, "received": 0])
        #expect(members["stream"]?.arrayValue?.last?["data"]?.stringValue?.hasPrefix("4999 ") == true)
    }

    @Test("The page gets a message with its direction, size and content, and Swift code that opens the connection")
    func page() throws {
        let call = connect()
        exchange(.sent, Data("hello".utf8), in: call)
        exchange(.received, Data([255]), isText: false, in: call)
        let members = CallMembers(redaction: .standard).value(of: try #require(log.snapshot.calls.first), hasBodies: true)
        #expect(
            members["stream"] == [
                ["at": 1, "event": "sent", "data": "hello", "size": 5], ["at": 2, "event": "received", "base64": "/w==", "size": 1],
            ])
        #expect(
            members["swift"]
                == .string(
                    #"""
                    let request = Request<Data>.get(url: URL(string: "https://h/chat")!)
                        .header("X-Room", "7")
                    let socket = try await client.webSocket(request, protocols: ["chat.v2", "\"x\""])
                    for try await message in socket.messages { print(message) }

                    """#))
        #expect(members["curl"]?.stringValue?.hasPrefix("curl --include --no-buffer --http1.1 'https://h/chat'") == true)
    }
}
