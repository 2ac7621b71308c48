import Foundation
import MartletGraphQL
import MartletTesting
import TestSupport
import Testing

@Suite("Observers of mocks", .timeLimit(.minutes(5)))
struct MockObserverTests {
    private let log = EventLog()

    @Test("A mock of a client tells its observers of the start and the outcome of each call")
    func http() async throws {
        let mock = HTTPClientMock(observers: [log])
        mock.result = .success(Data("[1]".utf8))
        _ = try await mock.send(Request<[Int]>.get("x"))
        _ = await mock.result(of: Request<String>.get("y"))
        _ = await mock.result(of: Request<[String]>.get("z"))
        _ = try await mock.stream(Request<Data>.get("s"))
        #expect(
            log.lines == [
                "1 started GET /x", "1 ended: 200", "2 started GET /y", "2 ended: 200", "3 started GET /z",
                "3 failed and ended: decoding", "4 started GET /s", "4 ended: 200",
            ])
        #expect(log.calls.map(\.kind) == [.request, .request, .request, .stream])
    }

    @Test("A mock of a GraphQL client tells its observers of the start and the outcome of each operation")
    func graphQL() async throws {
        let mock = GraphQLClientMock(observers: [log])
        mock.result = .success(Data("{}".utf8))
        let query = GraphQLOperation<JSONValue>("query Hero { hero }")
        _ = try await mock.response(for: query, options: .init())
        mock.result = .failure(.http(.timeout))
        _ = try? await mock.result(of: query)
        #expect(log.lines == ["1 started nil", "1 ended: 200", "2 started nil", "2 failed and ended: timeout"])
        #expect(log.calls.first?.operations.map(\.name) == ["Hero"] && log.calls.first?.kind == .graphQL)
    }
}
