#if SwiftLog && SwiftMetrics && SwiftTracing
import Foundation
import Martlet
import MartletBridges
import MartletTesting
import Testing

@Suite("Secrets and backends", .timeLimit(.minutes(5)))
struct SecretsTests {
    private struct Failing: TokenProvider {
        let key: String
        let words: String

        func token() async throws -> AccessToken? { AccessToken(key) }
        func token(replacing rejected: AccessToken) async throws -> AccessToken? { throw HTTPError.invalidResponse("\(words)") }
    }

    /// Makes calls with a key in every place in which one may be, and returns what the backends got.
    ///
    /// - Parameter words: The words of an app's error.
    private func text(_ key: String, _ detail: LogDetail, words: String) async throws -> String {
        let note = #"{"access_token":"\#(key)","password":"\#(key)"}"#
        let transport = MockTransport(
            .json(note, headers: ["Set-Cookie": "session=\(key)", "X-Api-Key": key]),
            .status(302, headers: [.location: "https://other.example/?token=\(key)"]), .json(note, status: 403),
            .failure(.invalidResponse("\(words)")), .failure(.networkError(.init(.connectionLost))),
            .status(401, headers: ["WWW-Authenticate": "Bearer"]))
        let observed = ObservedClient(
            transport, detail: detail,
            [AuthInterceptor(Failing(key: key, words: words)), RetryInterceptor(RetryPolicy(maxAttempts: 1, backoff: .constant(.zero)))])
        let request = Request<Int>.post("hooks", body: .json(["client_secret": key, "password": key]))
            .header("X-Api-Key", key).header("Cookie", "session=\(key)")
        for _ in 0..<5 { _ = await observed.client.result(of: request) }
        let hook = Request<Int>.post("hooks/\(key)", body: .json(["note": key]))
        if KnownKeys.all.contains(key) { _ = await observed.client.result(of: hook) }
        let url = try #require(URL(string: "https://user:\(key)@h.example/?access_token=\(key)&sig=\(key)"))
        _ = await observed.client.result(of: Request<Int>.get(url: url))
        let text = observed.text
        #expect(text.contains("decodingFailed") && text.contains("authenticationFailed") && text.contains("connectionLost"))
        return text
    }

    @Test("No key reaches a log handler, a span or a metric, in any detail", arguments: KnownKeys.all)
    func known(key: String) async throws {
        for detail in LogDetail.allCases {
            let text = try await text(key, detail, words: "rejected \(key)")
            let lines = text.split(separator: "\n").filter { $0.contains(key.suffix(8)) }
            #expect(lines.isEmpty, "\(detail): \(lines.joined(separator: "\n"))")
        }
    }

    @Test("No value with the name of a secret reaches a log handler, a span or a metric, in any detail")
    func named() async throws {
        for detail in LogDetail.allCases {
            let text = try await text("s3cretvalue", detail, words: "rejected token=s3cretvalue")
            #expect(!text.contains("s3cretvalue"), "\(detail)")
        }
    }
}
#endif
