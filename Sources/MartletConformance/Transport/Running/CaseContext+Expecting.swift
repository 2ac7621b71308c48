internal import MartletEssentials

extension CaseContext {
    /// Notes a value that is not the one expected.
    func expect<Value: Equatable>(_ subject: String, _ seen: Value, is expected: Value) {
        guard seen != expected else { return }
        note(Mismatch(subject, expected: CaseContext.text(expected), seen: CaseContext.text(seen)))
    }

    /// Notes an outcome that is not an answer of this status and body, and gives the answer if there is one.
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

    /// Notes an outcome that is not this error.
    func expect(_ subject: String, _ outcome: Outcome, fails expected: ExpectedError) {
        if case .failed(let error, _) = outcome, expected.matches(error) { return }
        note(Mismatch(subject, expected: expected.words, seen: "\(outcome)"))
    }

    private static func text(_ value: some Any) -> String {
        switch value {
        case let data as Data where data.count > 60 || String(validUTF8: data) == nil: "\(data.count) bytes that are others"
        case let data as Data: "“\(String(decoding: data, as: UTF8.self))”"
        case let text as String: "“\(text)”"
        default: "\(value)"
        }
    }
}

extension Outcome {
    /// What a call gave, or its error, for calls that give something else than a whole answer.
    static func of(_ operation: () async throws(HTTPError) -> Data) async -> Outcome {
        do { return .answer(Answer(status: .ok, headers: [:], body: try await operation(), trailers: [:])) } catch {
            return .failed(error, bytes: 0)
        }
    }
}
