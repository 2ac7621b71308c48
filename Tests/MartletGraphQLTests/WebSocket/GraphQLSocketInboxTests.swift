import Foundation
import Testing

@testable import MartletGraphQL

@Suite("Unread messages of operations on one connection", .timeLimit(.minutes(5)))
struct GraphQLSocketInboxTests {
    private typealias Waiter = GraphQLSocketInbox.Waiter

    private func next(_ id: String, bytes: Int = 10) -> GraphQLSocketSession.Event { .next(id: id, Data(repeating: 0x20, count: bytes)) }

    /// Returns what a reader gets, or nil if it must wait.
    private func read(_ inbox: inout GraphQLSocketInbox, _ id: String) -> GraphQLSocketInbox.Outcome? {
        inbox.read(id, Waiter())?.outcome
    }

    private func tooLarge(_ limit: Int) -> GraphQLError { .http(.responseTooLarge(SizeLimitFailure(limit: limit))) }

    @Test("A reader gets the messages in their order, then waits, and the end is the last")
    func order() {
        var inbox = GraphQLSocketInbox()
        inbox.begin("1", maxBytes: 1000)
        for size in 1...100 { #expect(inbox.take(next("1", bytes: size % 7)).wakes.isEmpty) }
        _ = inbox.take(.complete(id: "1"))
        _ = inbox.take(next("1"))
        for size in 1...100 {
            guard case .success(.next(let json)?) = read(&inbox, "1") else { Issue.record("no message \(size)"); return }
            #expect(json.count == size % 7)
        }
        #expect(read(&inbox, "1") == .success(.complete) && read(&inbox, "1") == .success(nil))
    }

    @Test("A waiting reader is resumed by its own message only")
    func waiting() {
        var inbox = GraphQLSocketInbox()
        for id in ["1", "2"] { inbox.begin(id, maxBytes: 100) }
        #expect(read(&inbox, "1") == nil)
        #expect(inbox.take(next("2")).wakes.isEmpty)
        #expect(inbox.take(.failed(id: "1", [])).wakes.map(\.outcome) == [.success(.error([]))])
        #expect(inbox.take(.heartbeat).wakes.isEmpty)
    }

    @Test("Heartbeats of a silent operation are one message, and those between results are none")
    func heartbeats() {
        var inbox = GraphQLSocketInbox()
        inbox.begin("1", maxBytes: 100)
        for _ in 1...5 { _ = inbox.take(.heartbeat) }
        #expect(read(&inbox, "1") == .success(.heartbeat) && read(&inbox, "1") == nil)
    }

    @Test("The socket is read while a reader waits, or no operation has many unread messages")
    func demand() {
        var inbox = GraphQLSocketInbox()
        #expect(inbox.wantsMore)
        for id in ["1", "2"] { inbox.begin(id, maxBytes: 1 << 20) }
        for _ in 1...15 { _ = inbox.take(next("1")) }
        #expect(inbox.wantsMore)
        _ = inbox.take(next("1"))
        #expect(!inbox.wantsMore)
        _ = read(&inbox, "2")
        #expect(inbox.wantsMore)
        _ = inbox.take(next("2"))
        #expect(!inbox.wantsMore)
        _ = read(&inbox, "1")
        #expect(inbox.wantsMore)
        _ = inbox.take(next("1", bytes: 300_000))
        #expect(!inbox.wantsMore)
        _ = inbox.take(.complete(id: "1"))
        #expect(inbox.wantsMore)
        #expect(inbox.remove("1")?.count == 0 && inbox.remove("1") == nil)
    }

    @Test("An operation fails when its unread messages reach the limit, after those that it has")
    func overflow() {
        var inbox = GraphQLSocketInbox()
        inbox.begin("1", maxBytes: 1000)
        #expect(inbox.take(next("1", bytes: 900)).stopped == nil)
        #expect(inbox.take(next("1", bytes: 101)).stopped == "1")
        #expect(inbox.take(next("1", bytes: 1)).stopped == nil)
        guard case .success(.next?) = read(&inbox, "1") else { Issue.record("no message"); return }
        #expect(read(&inbox, "1") == .failure(tooLarge(1000)))
        inbox.begin("2", maxBytes: 1 << 20)
        for _ in 1...1024 { #expect(inbox.take(next("2", bytes: 1)).stopped == nil) }
        #expect(inbox.take(next("2", bytes: 1)).stopped == "2")
    }

    @Test("A message above the maximum size ends its operation, also when its reader waits")
    func tooLarge() {
        var inbox = GraphQLSocketInbox()
        inbox.begin("1", maxBytes: 10)
        #expect(read(&inbox, "1") == nil)
        let taken = inbox.take(next("1", bytes: 11))
        #expect(taken.stopped == "1" && taken.wakes.map(\.outcome) == [.failure(tooLarge(10))])
    }

    @Test("The loss of the connection follows unread messages, and does not change operations that are over")
    func loss() {
        var inbox = GraphQLSocketInbox()
        for id in ["1", "2", "3"] { inbox.begin(id, maxBytes: 100) }
        _ = inbox.take(next("1"))
        _ = inbox.take(.complete(id: "2"))
        #expect(read(&inbox, "3") == nil)
        #expect(inbox.fail(.http(.timeout)).map(\.outcome) == [.failure(.http(.timeout))])
        guard case .success(.next?) = read(&inbox, "1") else { Issue.record("no message"); return }
        #expect(read(&inbox, "1") == .failure(.http(.timeout)) && read(&inbox, "2") == .success(.complete))
    }

    @Test("A reader whose operation was removed is cancelled")
    func removed() {
        var inbox = GraphQLSocketInbox()
        inbox.begin("1", maxBytes: 100)
        #expect(read(&inbox, "1") == nil)
        #expect(inbox.remove("1")?.map(\.outcome) == [.failure(.http(.cancelled))])
        #expect(read(&inbox, "1") == .failure(.http(.cancelled)) && inbox.isEmpty)
    }
}
