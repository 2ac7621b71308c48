import Foundation
import Martlet
import MartletSystem
import TestSupport

@testable import MartletGraphQL

/// A socket in memory whose other end is the test.
final class FakeGraphQLSocket: GraphQLSocket {
    private struct State {
        var events: [GraphQLSocketEvent] = []
        var waiter: OneShot<GraphQLSocketEvent>?
        var sent: [String] = []
        var observers: [(count: Int, seen: OneShot<Void>)] = []
        var closes: [(code: UInt16, reason: String)] = []
        var received = 0
        var sendFailure: HTTPError?
        /// What a send waits for while the server does not read.
        var pause: OneShot<Void>?
    }

    let selectedProtocol: String?
    let response: HTTPResponse<Void>?
    /// Set when the client closes the socket.
    let isClosed = OneShot<Void>()
    private let state = Locked(State())
    private let reply: @Sendable (String) -> [String]

    /// - Parameter reply: Returns the server's texts after a text of the client. Default: an acknowledgement of the first.
    init(
        _ form: GraphQLSocketProtocol? = .graphQLTransportWS, response: HTTPResponse<Void>? = nil,
        reply: @escaping @Sendable (String) -> [String] = FakeGraphQLSocket.acknowledging
    ) {
        selectedProtocol = form?.rawValue
        self.response = response
        self.reply = reply
    }

    static let acknowledging: @Sendable (String) -> [String] = { text in
        text.contains(#""connection_init""#) ? [#"{"type":"connection_ack"}"#] : []
    }

    var sent: [String] { state.withLock { $0.sent } }
    /// The types of the client's texts, with the IDs.
    var types: [String] { sent.map { [Self.member("type", of: $0), Self.member("id", of: $0)].compactMap(\.self).joined(separator: " ") } }
    var closes: [UInt16] { state.withLock { $0.closes.map(\.code) } }
    /// The number of events that the client has taken.
    var receivedCount: Int { state.withLock { $0.received } }
    var isAwaited: Bool { state.withLock { $0.waiter != nil } }

    static func member(_ name: String, of text: String) -> String? { (try? JSONValue(parsing: Data(text.utf8)))?[name]?.stringValue }

    /// Waits until the client has sent a number of texts, and returns their types.
    func waitForTexts(_ count: Int) async -> [String] {
        let seen = OneShot<Void>()
        let isThere = state.withLock { state in
            if state.sent.count < count { state.observers.append((count, seen)) }
            return state.sent.count >= count
        }
        if !isThere { await seen.value() }
        return types
    }

    func push(_ text: String) { push(.text(text)) }

    func next(_ count: Int, id: String = "1") { push(#"{"type":"next","id":"\#(id)","payload":{"data":{"count":\#(count)}}}"#) }

    func complete(id: String = "1") { push(#"{"type":"complete","id":"\#(id)"}"#) }

    /// Ends the connection as the server does.
    func end(_ code: UInt16?, _ reason: String = "") { push(.closed(code: code, reason: reason)) }

    /// Lets each later send fail.
    func breakSends(_ error: HTTPError) { state.withLock { $0.sendFailure = error } }

    /// Reads nothing until ``resumeReading()``.
    func stopReading() { state.withLock { $0.pause = OneShot() } }

    func resumeReading() { state.withLock { $0.pause.take() }?.set(()) }

    private func push(_ event: GraphQLSocketEvent) {
        let waiter = state.withLock { state -> OneShot<GraphQLSocketEvent>? in
            if state.waiter == nil { state.events.append(event) } else { state.received += 1 }
            return state.waiter.take()
        }
        waiter?.set(event)
    }

    func send(_ text: String) async throws(HTTPError) {
        await state.withLock { $0.pause }?.value()
        if let failure = state.withLock({ $0.sendFailure }) { throw failure }
        let seen = state.withLock { state in
            state.sent.append(text)
            defer { state.observers.removeAll { $0.count <= state.sent.count } }
            return state.observers.filter { $0.count <= state.sent.count }.map(\.seen)
        }
        for text in reply(text) { push(text) }
        for one in seen { one.set(()) }
    }

    func receive() async throws(HTTPError) -> GraphQLSocketEvent {
        let waiter = OneShot<GraphQLSocketEvent>()
        state.withLock { state in
            if !state.events.isEmpty {
                state.received += 1
                waiter.set(state.events.removeFirst())
            } else if !state.closes.isEmpty {
                waiter.set(.closed(code: nil, reason: ""))
            } else {
                state.waiter = waiter
            }
        }
        return await waiter.value()
    }

    func close(code: UInt16, reason: String) {
        let waiter = state.withLock { state in
            state.closes.append((code, reason))
            return state.waiter.take()
        }
        waiter?.set(.closed(code: nil, reason: ""))
        isClosed.set(())
    }
}

/// Hands out sockets one after the other.
final class FakeGraphQLSockets: Sendable {
    private struct State {
        var handshakes: [GraphQLSocketHandshake] = []
        var opened: [FakeGraphQLSocket] = []
        var observers: [(count: Int, seen: OneShot<Void>)] = []
    }

    private let state = Locked(State())
    private let make: @Sendable (_ number: Int) async throws(HTTPError) -> FakeGraphQLSocket

    /// - Parameter make: Returns the socket with a number, from 1.
    init(_ make: @escaping @Sendable (_ number: Int) async throws(HTTPError) -> FakeGraphQLSocket = { _ in FakeGraphQLSocket() }) {
        self.make = make
    }

    var handshakes: [GraphQLSocketHandshake] { state.withLock { $0.handshakes } }
    var count: Int { state.withLock { $0.opened.count } }

    /// Waits until a number of sockets were opened, and returns the last of them.
    func socket(_ number: Int) async -> FakeGraphQLSocket {
        let seen = OneShot<Void>()
        let isThere = state.withLock { state in
            if state.opened.count < number { state.observers.append((number, seen)) }
            return state.opened.count >= number
        }
        if !isThere { await seen.value() }
        return state.withLock { $0.opened[number - 1] }
    }

    func transport(
        _ parameters: GraphQLConnectionParameters = .none, _ change: (inout WebSocketSubscriptionTransport) -> Void = { _ in }
    ) -> WebSocketSubscriptionTransport {
        var transport = WebSocketSubscriptionTransport(target: nil, parameters: parameters) { handshake async throws(HTTPError) in
            let number = self.state.withLock { state in
                state.handshakes.append(handshake)
                return state.handshakes.count
            }
            let socket = try await self.make(number)
            let seen = self.state.withLock { state in
                state.opened.append(socket)
                defer { state.observers.removeAll { $0.count <= state.opened.count } }
                return state.observers.filter { $0.count <= state.opened.count }.map(\.seen)
            }
            for one in seen { one.set(()) }
            return socket
        }
        change(&transport)
        return transport
    }
}
