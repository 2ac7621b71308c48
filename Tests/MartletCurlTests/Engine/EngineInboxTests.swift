import Testing

@testable import MartletCurl

@Suite("EngineInbox", .timeLimit(.minutes(5)))
struct EngineInboxTests {
    @Test("The inbox of an engine that has stopped keeps no commands, which would keep the inbox")
    func stopped() throws {
        let inbox = try #require(EngineInbox())
        inbox.post(.startNext)
        inbox.parked()
        inbox.post(.startNext)
        var commands: [EngineInbox.Command] = []
        inbox.take(into: &commands)
        #expect(commands.isEmpty && inbox.isParked)
    }
}
