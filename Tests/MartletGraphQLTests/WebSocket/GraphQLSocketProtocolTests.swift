import Foundation
import Testing

@testable import MartletGraphQL

@Suite("Protocols of GraphQL over WebSocket", .timeLimit(.minutes(5)))
struct GraphQLSocketProtocolTests {
    @Test(
        "Each protocol has its own messages of the server",
        arguments: [
            ("connection_ack", GraphQLSocketMessage.Kind.acknowledgement, GraphQLSocketMessage.Kind.acknowledgement),
            ("connection_error", nil, .refusal), ("ping", .ping, nil), ("pong", .pong, nil), ("ka", nil, .pong),
            ("next", .next, nil), ("data", nil, .next), ("error", .errors, .errors), ("complete", .complete, .complete),
            ("subscribe", nil, nil), ("start", nil, nil), ("connection_init", nil, nil), ("Next", nil, nil), ("", nil, nil),
        ] as [(String, GraphQLSocketMessage.Kind?, GraphQLSocketMessage.Kind?)])
    func kinds(type: String, current: GraphQLSocketMessage.Kind?, old: GraphQLSocketMessage.Kind?) {
        #expect(GraphQLSocketProtocol.graphQLTransportWS.kind(of: type) == current)
        #expect(GraphQLSocketProtocol.graphQLWS.kind(of: type) == old)
    }

    @Test(
        "A message that the protocol does not specify is a violation, which says nothing of its content",
        arguments: [
            ("", "a message is not JSON"), ("{", "a message is not JSON"), ("[]", "a message is not an object"),
            (#""next""#, "a message is not an object"), ("{}", "a message has no type"), (#"{"type":1}"#, "a message has no type"),
            (#"{"type":"secret"}"#, "a message has an unknown type"),
            (#"{"type":"next","payload":{}}"#, "a message of an operation has no ID"),
            (#"{"type":"next","id":1,"payload":{}}"#, "a message of an operation has no ID"),
            (#"{"type":"complete","id":""}"#, "a message of an operation has no ID"),
            (#"{"type":"next","id":"1"}"#, "a result is not an object"),
            (#"{"type":"next","id":"1","payload":[]}"#, "a result is not an object"),
            (#"{"type":"next","id":"1","payload":null}"#, "a result is not an object"),
            (String(repeating: "[", count: 200), "a message is not JSON"),
        ])
    func violations(text: String, reason: String) {
        #expect(throws: GraphQLSocketViolation(reason)) { try GraphQLSocketMessage(text, .graphQLTransportWS) }
        #expect(reason.utf8.count <= 123)
    }

    @Test("A payload is handed on as it stands, with the digits of its numbers, and the last of equal members counts")
    func payload() throws {
        let text = #" { "type" : "x", "payload" : {"data": {"n": 1.50, "big":123456789012345678901}} , "id":"0","id":"7", "type":"next"} "#
        let message = try GraphQLSocketMessage(text, .graphQLTransportWS)
        #expect(message.id == "7" && message.kind == .next)
        #expect(message.payload == Data(#"{"data": {"n": 1.50, "big":123456789012345678901}}"#.utf8))
    }

    @Test(
        "Errors are a list, one error, or an object with a list, and never empty",
        arguments: [
            (#"[{"message":"a"},{"message":"b"}]"#, ["a", "b"]), (#"{"message":"a","extensions":{"code":"X"}}"#, ["a"]),
            (#"{"errors":[{"message":"a"},{"no":1}]}"#, ["a"]), (#""denied""#, ["denied"]),
            ("[]", ["the server sent an error without a message"]), ("null", ["the server sent an error without a message"]),
            (#"{"reason":"old"}"#, [#"{"reason":"old"}"#]), (#"[{"no":1}]"#, [#"[{"no":1}]"#]),
        ])
    func errors(payload: String, messages: [String]) throws {
        for form in GraphQLSocketProtocol.allCases {
            let message = try GraphQLSocketMessage(#"{"type":"error","id":"1","payload":\#(payload)}"#, form)
            #expect(message.errors.map(\.message) == messages)
        }
    }
}
