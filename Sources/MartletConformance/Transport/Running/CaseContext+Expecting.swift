internal import MartletEssentials

extension CaseContext {
    /// Notes a mismatch if a value differs from the expected one.
    func expect<Value: Equatable>(_ subject: String, _ seen: Value, is expected: Value) {
        guard seen != expected else { return }
        note(Mismatch(subject, expected: CaseContext.text(expected), seen: CaseContext.text(seen)))
    }

    /// Notes a mismatch unless the outcome is a response with a status and a body. Returns the response if there is one.
    @discardableResult
    func expect(_ subject: String, _ outcome: Outcome, status: HTTPStatus = .ok, body: Data? = nil) -> Outcome.Answer? {
        guard let answer = outcome.answer else {
            note(Mismatch(subject, expected: "\(status.rawValue)", seen: "\(outcome)"))
            return nil
        }
        expect("\(subject), the status", answer.status.rawValue, is: status.rawValue)
        if let body, body != answer.body {
            note(Mismatch("\(subject), the body", expected: CaseContext.text(body), seen: CaseContext.text(answer.body)))
        }
        return answer
    }

    /// Notes a mismatch unless the outcome is an expected error.
    func expect(_ subject: String, _ outcome: Outcome, fails expected: ExpectedError) {
        if case .failed(let error, _) = outcome, expected.matches(error) { return }
        note(Mismatch(subject, expected: expected.words, seen: "\(outcome)"))
    }

    private static func text(_ value: some Any) -> String {
        switch value {
        case let data as Data where data.count > 60 || String(validUTF8: data) == nil: "\(data.count) bytes of different content"
        case let data as Data: "“\(String(decoding: data, as: UTF8.self))”"
        case let text as String: "“\(text)”"
        default: "\(value)"
        }
    }
}

extension Outcome {
    /// Returns the result of an operation that returns only bytes.
    static func of(_ operation: () async throws(HTTPError) -> Data) async -> Outcome {
        do { return .answer(Answer(status: .ok, headers: [:], body: try await operation(), trailers: [:])) } catch {
            return .failed(error, bytes: 0)
        }
    }
}
