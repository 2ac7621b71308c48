import Foundation
import Testing

@testable import MartletGraphQL

@Suite("The client's side of GraphQL over WebSocket", .timeLimit(.minutes(5)))
struct GraphQLSocketSessionTests {
    private typealias Step = GraphQLSocketSession.Step
    private let query = Data(#"{"query":"subscription { count }"}"#.utf8)

    /// A session whose connection was acknowledged.
    private func open(_ form: GraphQLSocketProtocol) -> GraphQLSocketSession {
        var session = GraphQLSocketSession(form)
        _ = session.initialize(payload: nil)
        _ = session.receive(#"{"type":"connection_ack"}"#)
        return session
    }

    private func started(_ session: inout GraphQLSocketSession) throws -> (id: String, text: String) {
        let started = session.start(payload: query)
        return try #require(started)
    }

    @Test(
        "The texts of an operation from its start to its end",
        arguments: [
            (GraphQLSocketProtocol.graphQLTransportWS, "subscribe", "next", "complete"), (.graphQLWS, "start", "data", "stop"),
        ])
    func life(form: GraphQLSocketProtocol, start: String, next: String, stop: String) throws {
        var session = GraphQLSocketSession(form)
        #expect(!session.isOpen && session.start(payload: query) == nil)
        #expect(session.initialize(payload: Data(#"{"token":"t"}"#.utf8)) == #"{"type":"connection_init","payload":{"token":"t"}}"#)
        #expect(session.start(payload: query) == nil)
        #expect(session.receive(#"{"type":"connection_ack","payload":{"x":1}}"#) == Step(event: .acknowledged))
        #expect(session.isOpen)
        let first = try started(&session), second = try started(&session)
        #expect(first.text == #"{"id":"1","type":"\#(start)","payload":{"query":"subscription { count }"}}"# && second.id == "2")
        #expect(
            session.receive(#"{"type":"\#(next)","id":"2","payload":{"data":{"count":1}}}"#)
                == Step(event: .next(id: "2", Data(#"{"data":{"count":1}}"#.utf8))))
        #expect(session.stop(first.id) == #"{"id":"1","type":"\#(stop)"}"# && session.stop(first.id) == nil)
        #expect(session.receive(#"{"type":"complete","id":"2"}"#) == Step(event: .complete(id: "2")))
        #expect(session.stop("2") == nil && session.activeCount == 0)
        #expect(session.start(payload: query)?.id == "3")
    }

    @Test("connection_init has no payload unless one is set", arguments: GraphQLSocketProtocol.allCases)
    func plainInit(form: GraphQLSocketProtocol) {
        var session = GraphQLSocketSession(form)
        #expect(session.initialize(payload: nil) == #"{"type":"connection_init"}"#)
    }

    @Test("Messages for operations that are unknown, stopped or over are ignored", arguments: GraphQLSocketProtocol.allCases)
    func unknown(form: GraphQLSocketProtocol) throws {
        var session = open(form)
        let stopped = try started(&session).id, over = try started(&session).id
        _ = session.stop(stopped)
        #expect(session.receive(#"{"type":"error","id":"\#(over)","payload":[{"message":"no"}]}"#).event != nil)
        let next = form == .graphQLTransportWS ? "next" : "data"
        for id in [stopped, over, "99", "x"] {
            #expect(session.receive(#"{"type":"\#(next)","id":"\#(id)","payload":{"data":1}}"#) == Step())
            #expect(session.receive(#"{"type":"error","id":"\#(id)","payload":[]}"#) == Step())
            #expect(session.receive(#"{"type":"complete","id":"\#(id)"}"#) == Step())
        }
        #expect(session.isOpen)
    }

    @Test("An error ends its operation only", arguments: GraphQLSocketProtocol.allCases)
    func errors(form: GraphQLSocketProtocol) throws {
        var session = open(form)
        let id = try started(&session).id
        _ = session.start(payload: query)
        let step = session.receive(#"{"type":"error","id":"\#(id)","payload":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}"#)
        #expect(step == Step(event: .failed(id: id, [GraphQLResponseError(message: "no", code: "UNAUTHENTICATED")])))
        #expect(session.activeCount == 1)
    }

    @Test(
        "A ping is answered with its payload, also before connection_ack, and other signs of life need no reply",
        arguments: [
            (#"{"type":"ping"}"#, #"{"type":"pong"}"#), (#"{"type":"ping","payload":{"at": 1}}"#, #"{"type":"pong","payload":{"at": 1}}"#),
            (#"{"type":"ping","payload":null}"#, #"{"type":"pong"}"#), (#"{"type":"pong"}"#, nil), (#"{"type":"pong","payload":{}}"#, nil),
        ] as [(String, String?)])
    func pings(text: String, reply: String?) {
        var early = GraphQLSocketSession(.graphQLTransportWS)
        #expect(early.ping == nil)
        _ = early.initialize(payload: nil)
        #expect(early.ping == #"{"type":"ping"}"#)
        #expect(early.receive(text) == Step(event: .heartbeat, reply: reply))
        var session = open(.graphQLTransportWS)
        #expect(session.receive(text) == Step(event: .heartbeat, reply: reply))
    }

    @Test("The older protocol has keep-alive messages of the server, and no pings")
    func keepAlive() {
        var session = GraphQLSocketSession(.graphQLWS)
        _ = session.initialize(payload: nil)
        #expect(session.receive(#"{"type":"ka"}"#) == Step(event: .heartbeat) && session.ping == nil)
        _ = session.receive(#"{"type":"connection_ack"}"#)
        #expect(session.receive(#"{"type":"ka"}"#) == Step(event: .heartbeat))
    }

    @Test("The older protocol's connection_error refuses the connection, and says goodbye before the Close frame")
    func refusal() {
        var session = GraphQLSocketSession(.graphQLWS)
        _ = session.initialize(payload: nil)
        #expect(session.terminate() == nil)
        session = GraphQLSocketSession(.graphQLWS)
        _ = session.initialize(payload: nil)
        let step = session.receive(#"{"type":"connection_error","payload":{"message":"who?"}}"#)
        #expect(step == Step(event: .refused([GraphQLResponseError(message: "who?")])))
        #expect(session.receive(#"{"type":"connection_ack"}"#) == Step() && !session.isOpen)
        var good = open(.graphQLWS), current = open(.graphQLTransportWS)
        #expect(good.terminate() == #"{"type":"connection_terminate"}"# && current.terminate() == nil && !good.isOpen)
    }

    @Test(
        "A message out of order or unknown closes the connection with 4400",
        arguments: [
            (true, #"{"type":"next","id":"1","payload":{"data":1}}"#, "a message of an operation precedes connection_ack"),
            (true, #"{"type":"complete","id":"1"}"#, "a message of an operation precedes connection_ack"),
            (false, #"{"type":"data","id":"1","payload":{"data":1}}"#, "a message has an unknown type"),
            (false, #"{"type":"ka"}"#, "a message has an unknown type"), (false, "no", "a message is not JSON"),
        ])
    func violations(early: Bool, text: String, reason: String) {
        var session = GraphQLSocketSession(.graphQLTransportWS)
        if early { _ = session.initialize(payload: nil) } else { session = open(.graphQLTransportWS) }
        #expect(session.receive(text) == Step(event: .violation(code: 4400, reason: reason)))
        #expect(session.receive(#"{"type":"ping"}"#) == Step() && session.start(payload: query) == nil)
    }

    @Test("A second connection_ack is ignored", arguments: GraphQLSocketProtocol.allCases)
    func secondAcknowledgement(form: GraphQLSocketProtocol) {
        var session = open(form)
        #expect(session.receive(#"{"type":"connection_ack"}"#) == Step() && session.isOpen)
    }
}
