import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletConformance

/// Runs the cases of WebSockets over connections in memory.
@Suite("TransportConformance: WebSockets in memory", .timeLimit(.minutes(5)))
struct WebSocketCaseTests {
    @Test("MockTransport fulfils each case of WebSockets", arguments: WebSocketCases.all)
    func conforms(_ aCase: TransportConformance.Case) async throws {
        try await aCase.check(options: .init(timeLimit: .seconds(120))) { MockTransport() }
    }

    @Test("A transport that opens no WebSockets must refuse them, and may not send the request")
    func inability() async throws {
        struct Refusing: Transport {
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { throw .offline }
        }
        try await TransportConformance.check(WebSocketCases.all) { Refusing() }
    }
}
