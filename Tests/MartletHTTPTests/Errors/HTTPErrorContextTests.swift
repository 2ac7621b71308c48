import Foundation
import Testing

@testable import MartletHTTP

@Suite("HTTPError: context", .timeLimit(.minutes(5)))
struct HTTPErrorContextTests {
    private struct Broken: Error {}
    private let request = HTTPRequest(method: .put, url: URL(string: "https://h/x")!)

    @Test("The context can be set on every case except a status error, and read back completely")
    func setting() {
        for error in oneOfEach {
            var changed = error
            changed.context = ErrorContext(request: request, stage: .body, attempts: 4, underlying: Broken(), detail: "d")
            #expect(changed == error)
            if case .statusCode = error { continue }
            #expect(changed.request?.method == .put)
            #expect(changed.stage == .body)
            #expect(changed.attempts == 4)
            #expect(changed.underlying is Broken)
            #expect(changed.context.detail == "d")
        }
    }

    @Test("Completing an error fills in missing values and keeps existing ones")
    func completing() {
        let later = HTTPRequest(url: URL(string: "https://later/")!)
        let known = HTTPError.timeout(ErrorContext(request: request, stage: .connect, attempts: 2, detail: "d"))
        let same = known.completed(request: later, stage: .interceptor, attempts: 9)
        #expect(same.request?.method == .put)
        #expect(same.stage == .connect)
        #expect(same.attempts == 2)
        let filled = HTTPError.timeout.completed(request: request, stage: .exchange, attempts: 3)
        #expect(filled.request?.method == .put)
        #expect(filled.stage == .exchange)
        #expect(filled.attempts == 3)
    }

    @Test("The number of attempts comes from the request unless it is given")
    func attempts() {
        var request = request
        request.context.attempt = 2
        #expect(HTTPError.cancelled.completed(request: request, stage: .exchange).attempts == 2)
    }

    @Test("The error of a response gets its request once, and the number of attempts from it")
    func statusCode() {
        var first = request
        first.context.attempt = 3
        let error = HTTPError.statusCode(HTTPResponse(status: .notFound, body: Data()))
        #expect(error.request == nil)
        #expect(error.attempts == 0)
        let completed = error.completed(request: first, stage: .validation)
            .completed(request: HTTPRequest(url: URL(string: "https://later/")!), stage: .interceptor)
        #expect(completed.request?.method == .put)
        #expect(completed.attempts == 3)
        #expect(completed.stage == .validation)
        // The second attempt of a hedged call may be answered after the first.
        let record = CallRecord()
        first.context.record = record
        for _ in 0..<2 { _ = record.beginAttempt(first) }
        #expect(error.completed(request: first, stage: .validation).attempts == 2)
    }

    @Test("Only a status error and a decoding failure have a response and a status")
    func responses() {
        for error in oneOfEach {
            switch error {
            case .statusCode: #expect(error.status == .notFound)
            case .decodingFailed: #expect(error.status == .ok)
            default: #expect(error.response == nil && error.status == nil && error.problem == nil)
            }
        }
    }

    @Test("Problem details are read from the body, whatever its media type (RFC 9457)")
    func problems() {
        let body = Data(#"{"title":"Out of credit","status":403,"balance":30}"#.utf8)
        let error = HTTPError.statusCode(HTTPResponse(status: .forbidden, headers: ["Content-Type": "text/plain"], body: body))
        #expect(error.problem == ProblemDetails(title: "Out of credit", status: .forbidden, extensions: ["balance": 30]))
        #expect(HTTPError.statusCode(HTTPResponse(status: .forbidden, body: Data("no".utf8))).problem == nil)
    }
}
