internal import MartletEssentials

/// The result of an exchange after its body was read.
enum Outcome: Sendable, CustomStringConvertible {
    case answer(Answer)
    /// An error, and the number of bytes of the body that were read before it.
    case failed(HTTPError, bytes: Int)

    struct Answer: Sendable {
        let status: HTTPStatus
        let headers: HTTPFields
        let body: Data
        let trailers: HTTPFields
        var wasContentCoded = false
    }

    var answer: Answer? { if case .answer(let answer) = self { answer } else { nil } }

    var description: String {
        switch self {
        case .answer(let answer): "\(answer.status.rawValue) with \(answer.body.count) bytes"
        case .failed(let error, _): "the error “\(Outcome.words(of: error))”"
        }
    }

    /// Returns the text of an error without the request, whose URL has a different port each time.
    static func words(of error: HTTPError) -> String {
        var bare = error
        bare.context = ErrorContext(detail: error.context.detail)
        return "\(bare)"
    }

    /// Returns the result of an operation that returns only bytes.
    static func of(_ operation: () async throws(HTTPError) -> Data) async -> Outcome {
        do { return .answer(Answer(status: .ok, headers: [:], body: try await operation(), trailers: [:])) } catch {
            return .failed(error, bytes: 0)
        }
    }
}

/// The expected error of an exchange.
struct ExpectedError: Sendable {
    let words: String
    let matches: @Sendable (HTTPError) -> Bool

    func or(_ other: ExpectedError) -> ExpectedError {
        ExpectedError(words: "\(words) or \(other.words)") { matches($0) || other.matches($0) }
    }

    static let cancelled = ExpectedError(words: ".cancelled") { $0 == .cancelled }
    static let timeout = ExpectedError(words: ".timeout") { $0 == .timeout }
    static let connectionLost = network(.connectionLost)
    static let connectionLostInBody = ExpectedError(words: ".networkError(.connectionLost) in the body") {
        $0 == .networkError(NetworkFailure(.connectionLost)) && $0.stage == .body
    }
    static let invalidResponse = ExpectedError(words: ".invalidResponse") { if case .invalidResponse = $0 { true } else { false } }
    static let invalidRequest = ExpectedError(words: ".invalidRequest") { if case .invalidRequest = $0 { true } else { false } }
    static let encodingFailed = ExpectedError(words: ".encodingFailed") { if case .encodingFailed = $0 { true } else { false } }
    static let addressRefused = ExpectedError(words: ".addressRefused") { if case .addressRefused = $0 { true } else { false } }
    static let engineUnavailable = ExpectedError(words: ".engineUnavailable") {
        if case .engineUnavailable = $0 { true } else { false }
    }
    static let invalidURL = ExpectedError(words: ".invalidURL") { if case .invalidURL = $0 { true } else { false } }
    static let anyNetworkError = ExpectedError(words: ".networkError") { if case .networkError = $0 { true } else { false } }

    static func network(_ kind: NetworkFailure.Kind) -> ExpectedError {
        ExpectedError(words: ".networkError(.\(kind.rawValue))") { $0 == .networkError(NetworkFailure(kind)) }
    }

    static func tooLarge(_ subject: SizeLimitFailure.Subject, limit: Int) -> ExpectedError {
        ExpectedError(words: ".responseTooLarge(\(subject.rawValue), limit: \(limit))") {
            $0 == .responseTooLarge(SizeLimitFailure(subject, limit: limit))
        }
    }
}

/// How a case wants its response.
enum BodyDelivery {
    case buffered, streamed

    static var both: [BodyDelivery] { [.buffered, .streamed] }

    var words: String { self == .buffered ? "buffered" : "streamed" }
}
