import Foundation
import MartletMockServer
import Testing

@Suite("RequestMatcher: starting points", .timeLimit(.minutes(5)))
struct RequestMatcherStartingTests {
    private let request = HTTPRequest(
        method: .post, url: URL(string: "https://api.example/x?page=2")!, headers: ["X-A": "1"], body: HTTPBody(#"{"a":1}"#))

    @Test("A matcher begins with any part, as if it followed `any`")
    func parts() {
        let matching: [RequestMatcher] = [
            .host("api.example"), .query("page"), .query("page", "2"), .header("X-A", "1"), .json(["a": 1]),
            .where("is a POST") { $0.method == .post },
        ]
        for matcher in matching { #expect(matcher.differences(in: request).isEmpty, "\(matcher)") }
        let others: [RequestMatcher] = [
            .host("b.example"), .query("other"), .header("X-B"), .json(["a": 2]), .where("never") { _ in false },
        ]
        for matcher in others { #expect(!matcher.differences(in: request).isEmpty, "\(matcher)") }
    }
}
