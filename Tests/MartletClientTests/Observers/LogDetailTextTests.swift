import Foundation
import MartletClient
import Testing

@Suite("LogDetail: what is shown", .timeLimit(.minutes(5)))
struct LogDetailTextTests {
    private struct Broken: Error, CustomStringConvertible { var description = "ada's file" }

    private let context = ErrorContext(
        request: HTTPRequest(method: .get, url: URL(string: "https://h/ada?mail=ada")!), stage: .exchange, underlying: Broken(),
        detail: "ada")
    private let response = HTTPResponse(status: .badRequest, headers: [.contentType: "text/plain"], body: Data("ada".utf8))

    private var errors: [HTTPError] {
        [
            .invalidURL(Explanation("ada", context: context)), .timeout(context), .statusCode(response),
            .networkError(NetworkFailure(.connectionLost, "ada", context: context)),
            .decodingFailed(DecodingFailure(type: "User", codingPath: "items[3].id", reason: "ada", response: response, context: context)),
            .interceptorFailed(Explanation("ada", context: context)), .pagingFailed(PagingFailure(.refusedTarget, "ada", context: context)),
        ]
    }

    @Test("An outline of an error is its kind and coding path, without words of a server or an app")
    func outlines() {
        let texts = errors.map(LogDetail.outline.text(of:))
        #expect(
            texts == [
                "Invalid URL", "Timed out", "Status 400 Bad Request", "Network error: connectionLost", "Decoding failed at items[3].id",
                "Interceptor failed", "Paging failed",
            ])
    }

    @Test("More detail includes the description, the URL, and what steps say", arguments: [LogDetail.basic, .headers, .bodies])
    func details(detail: LogDetail) throws {
        #expect(errors.map(detail.text(of:)) == errors.map(\.description))
        let url = try #require(URL(string: "https://h/ada?token=s3cret"))
        #expect(detail.text(of: url) == "https://h/ada?token=‹redacted›" && LogDetail.outline.text(of: url) == nil)
        let failed = CallTrace.Outcome.failed("ada"), renewal = CallTrace.Renewal(duration: .zero, failure: "ada")
        #expect(detail.text(of: failed) == "ada" && LogDetail.outline.text(of: failed) == "failed")
        #expect(detail.explanation(of: failed) == "ada" && LogDetail.outline.explanation(of: failed) == "")
        #expect(
            detail.explanation(of: CallTrace.Outcome.timeout) == "" && LogDetail.outline.text(of: CallTrace.Outcome.timeout) == "timed out")
        #expect(detail.reason(of: renewal) == "ada" && LogDetail.outline.reason(of: renewal) == nil)
        #expect(detail.text(ofNote: "ada") == "ada" && LogDetail.outline.text(ofNote: "ada") == nil)
        let errors = "GraphQL errors beside data: ada"
        #expect(detail.text(ofNote: errors) == errors && LogDetail.outline.text(ofNote: errors) == "GraphQL errors beside data")
    }
}
