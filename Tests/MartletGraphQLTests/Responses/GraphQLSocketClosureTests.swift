import MartletWebSocketProtocol
import Testing

@testable import MartletGraphQL

@Suite("Close codes of GraphQL over WebSocket", .timeLimit(.minutes(5)))
struct GraphQLSocketClosureTests {
    @Test(
        "The code says whether another connection may succeed",
        arguments: [
            (1000, .lost), (1001, .lost), (1002, .refused), (1003, .refused), (1005, .lost), (1006, .lost), (1007, .refused),
            (1008, .refused), (1009, .refused), (1010, .refused), (1011, .lost), (1012, .lost), (1013, .lost), (1014, .lost),
            (1015, .lost), (3000, .lost), (4000, .lost), (4400, .refused), (4401, .rejected), (4403, .refused), (4406, .refused),
            (4408, .lost), (4409, .refused), (4429, .refused), (4500, .refused), (4999, .lost),
        ] as [(WebSocketCloseCode, GraphQLSocketClosure.Meaning)])
    func meanings(code: WebSocketCloseCode, meaning: GraphQLSocketClosure.Meaning) {
        #expect(GraphQLSocketClosure(code: code).meaning == meaning)
        let early = GraphQLSocketClosure(code: code, wasAcknowledged: false).meaning
        #expect(early == ([4403, 1000, 1008].contains(code) ? .rejected : meaning))
    }

    @Test("The description explains the code, and keeps the server's reason in one line")
    func description() {
        #expect("\(GraphQLSocketClosure(code: 4403, reason: "Forbidden\nline"))".hasPrefix("4403: forbidden, “Forbidden"))
        #expect(!"\(GraphQLSocketClosure(code: 4403, reason: "a\nb"))".contains("\n"))
        #expect("\(GraphQLSocketClosure(code: 1000, wasAcknowledged: false))" == "1000: in place of connection_ack")
        #expect("\(GraphQLSocketClosure(code: 3000))" == "3000" && "\(GraphQLSocketClosure(code: 4429))".contains("more than once"))
        #expect(GraphQLSocketClosure(code: 4401) != GraphQLSocketClosure(code: 4401, wasAcknowledged: false))
    }
}
