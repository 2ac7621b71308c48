import Foundation
import MartletObservation
import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("CallTrace.curl", .timeLimit(.minutes(5)))
struct CallTraceCurlTests {
    private func client(_ replies: MockReply...) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(replies: replies))
    }

    @Test("Each attempt is a command after a comment with its outcome, with secrets hidden")
    func commands() async throws {
        let request = Request<Data>.get("a").header(.authorization, "Bearer s3cret").header("Accept", "x")
        let client = client(.status(302, headers: [.location: "https://other/b?token=s3cret"]), .text("found"))
        let curl = try await client.response(for: request).trace.curl
        let lines = curl.split(separator: "\n")
        #expect(lines.count == 4 && lines[0] == "# attempt 1: 302 Found" && lines[2] == "# attempt 2: 200 OK")
        #expect(lines[1].hasPrefix("curl 'https://h/a' ") && lines[1].contains("-H 'Authorization: ‹redacted›'"))
        #expect(lines[3].hasPrefix("curl 'https://other/b?token=‹redacted›'") && !lines[3].contains("Authorization"))
    }

    @Test("An error's trace has them too; a call without a request has none")
    func failures() async throws {
        let failed = await client(.disconnect).result(of: Request<Data>.get("a"))
        guard case .failure(let error) = failed else { throw CancellationError() }
        #expect(error.trace.curl.hasPrefix("# attempt 1: network error connectionLost\ncurl 'https://h/a'"))
        #expect(HTTPError.timeout.trace.curl.isEmpty)
    }

    @Test("The outcome cannot end its comment")
    func comment() {
        let record = CallRecord()
        let request = HTTPRequest(method: .get, url: URL(string: "https://h/")!)
        let attempt = record.beginAttempt(request)
        record.endAttempt(attempt, of: request, .failed("a\nrm -rf /"))
        #expect(record.trace.curl.split(separator: "\n").count == 2)
    }
}
