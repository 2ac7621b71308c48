import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("HTTPBody: trailers", .timeLimit(.minutes(5)))
struct BodyTrailersTests {
    @Test("A body has trailers only if they were added, and creates them each time it has been sent")
    func made() async throws {
        #expect(!HTTPBody("a").hasTrailers)
        #expect(try await HTTPBody("a").makeTrailers().isEmpty)
        let count = Locked(0)
        let body = HTTPBody("a").trailers { ["X-Sum": "\(count.withLock { $0 += 1; return $0 })"] }
        #expect(body.hasTrailers && body.isReplayable && body.length == 1)
        #expect(count.withLock { $0 } == 0)
        #expect(try await body.makeTrailers()["X-Sum"] == "1")
        #expect(try await body.makeTrailers()["X-Sum"] == "2")
    }

    @Test(
        "Fields that a recipient needs before the body, and invalid ones, can't be trailers (RFC 9110 §6.5.1)",
        arguments: [
            ("Content-Length", "1"), ("transfer-encoding", "chunked"), ("Host", "a"), ("Authorization", "Bearer t"), ("Cookie", "a=1"),
            ("Content-Type", "a/b"), ("Trailer", "X"), ("If-Match", "*"), ("X Y", "1"), ("X-A", "a\r\nb"), ("", "1"),
        ])
    func forbidden(name: String, value: String) async throws {
        var fields = HTTPFields()
        fields.append(HTTPFieldName(name), value)
        let body = HTTPBody("a").trailers { [fields] in fields }
        let error = await #expect(throws: HTTPError.self) { try await body.makeTrailers() }
        guard case .invalidRequest? = error else { Issue.record("\(String(describing: error))"); return }
        #expect(error.map { !"\($0)".contains("Bearer t") } ?? false)
    }

    @Test("Trailers of more than 60,000 bytes end the request")
    func tooLarge() async throws {
        let value = String(repeating: "a", count: 59_000)
        #expect(try await HTTPBody("a").trailers { ["X-A": value] }.makeTrailers().count == 1)
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPBody("a").trailers { ["X-A": value, "X-B": value] }.makeTrailers()
        }
        #expect(error.map { "\($0)".contains("more than 60000 bytes") } ?? false)
    }

    @Test("An error of the closure is .encodingFailed, an HTTPError is unchanged, and a cancellation is .cancelled")
    func failing() async throws {
        struct Gone: Error {}
        let errors: [(any Error, HTTPError)] = [
            (Gone(), .encodingFailed("")), (HTTPError.noData(""), .noData("")), (CancellationError(), .cancelled),
        ]
        for (thrown, expected) in errors {
            let error = await #expect(throws: HTTPError.self) { try await HTTPBody("a").trailers { throw thrown }.makeTrailers() }
            #expect(error?.caseName == expected.caseName)
        }
    }

    @Test("Wrappers of a body keep its trailers, and another origin gets only portable ones")
    func wrapped() async throws {
        let stream = HTTPBody { nil }.trailers { ["X-Secret": "s", "Content-Digest": "d"] }
        for body in [HTTPBody("a").trailers { ["X-Sum": "1"] }, stream] {
            let observer = BodyObserver(began: { _ in }, took: { _ in })
            #expect(body.observed(by: observer).hasTrailers)
        }
        let portable = try await stream.withPortableTrailers(naming: []).makeTrailers()
        #expect(portable.map(\.name) == ["Content-Digest"])
        #expect(try await stream.withPortableTrailers(naming: ["X-Secret"]).makeTrailers().count == 2)
        #expect(!HTTPBody("a").withPortableTrailers(naming: []).hasTrailers)
    }
}
