import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletMockServer

@Suite(.timeLimit(.minutes(5))) struct ReplyPlanTests {
    /// Describes the steps: written bytes by their last line or their size.
    func steps(_ plan: ReplyPlan) -> [String] {
        plan.steps.map { step in
            switch step {
            case .write(let bytes): bytes.count > 1000 ? "\(bytes.count) bytes" : String(decoding: bytes, as: UTF8.self)
            case .webSocket(_, _, let cut): "webSocket \(cut?.bodyBytes ?? -1)"
            case .drip(let bytes, let drip): "\(bytes.count) bytes by \(drip.bytes)"
            case .wait(let duration): "wait \(duration.components.seconds)"
            case .stream(let stream): "stream\(stream.isChunked ? " in chunks" : "")\(stream.cutAfter.map { " cut after \($0)" } ?? "")"
            case .hold: "hold"
            case .breakOff(let isReset): isReset ? "reset" : "close"
            }
        }
    }

    @Test("A small reply is one write, and a large body is written separately from its head")
    func writes() {
        #expect(steps(ReplyPlan(.data(Data("ab".utf8)))) == ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"])
        let large = ReplyPlan(.data(Data(count: 70_000)))
        #expect(steps(large) == ["HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n", "70000 bytes"])
        #expect(!large.closes)
    }

    @Test("Interim responses are sent immediately, and the delay comes before the final response")
    func interim() {
        let plan = ReplyPlan(MockReply.status(204).delayed(by: .seconds(3)).precededBy(103))
        #expect(steps(plan) == ["HTTP/1.1 103 Early Hints\r\n\r\n", "wait 3", "HTTP/1.1 204 No Content\r\n\r\n"])
        #expect(steps(ReplyPlan(MockReply.status(204).precededBy(103), version: .http10)).count == 1)
    }

    @Test("A broken connection is the last step, and the bytes before it are cut there")
    func breaks() {
        #expect(steps(ReplyPlan(.disconnect)) == ["close"])
        #expect(steps(ReplyPlan(MockReply.reset.delayed(by: .seconds(1)))) == ["wait 1", "reset"])
        #expect(steps(ReplyPlan(.text("x").disconnecting(afterHeadBytes: 4))) == ["HTTP", "close"])
        for count in [0, -1] { #expect(steps(ReplyPlan(.text("x").disconnecting(afterHeadBytes: count))) == ["close"]) }
        let made = ReplyPlan(.stream { .empty }.disconnecting(afterBodyBytes: 4, reset: true))
        #expect(steps(made).suffix(2) == ["stream in chunks cut after 4", "reset"])
        let beyond = ReplyPlan(.data(Data("ab".utf8)).disconnecting(afterBodyBytes: 9))
        #expect(steps(beyond) == ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", "close"])
    }

    @Test("The connection is closed if it may not stay open, and the head says so once")
    func closing() {
        #expect(ReplyPlan(.status(200), keepsAlive: false).closes && ReplyPlan(.raw("x")).closes)
        #expect(ReplyPlan(.stream("a").delimitedByClose()).closes && ReplyPlan(.stream("a"), version: .http10).closes)
        #expect(!ReplyPlan(.stream("a")).closes && !ReplyPlan(.silence).closes)
        #expect(steps(ReplyPlan(.status(204, headers: [.connection: "Close"]))) == ["HTTP/1.1 204 No Content\r\nConnection: Close\r\n\r\n"])
    }
}
