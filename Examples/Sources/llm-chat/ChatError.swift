import Foundation
import Martlet

/// The error of a question, in words for the user of a terminal.
enum ChatError: LocalizedError, Equatable {
    case cancelled
    case busy(retryAfter: Duration?)
    case conversationTooLong
    case other(APIError)

    var errorDescription: String? {
        switch self {
        case .cancelled: nil
        case .busy(let wait?): "The model is busy. Try again in \(wait.formatted(.units(allowed: [.minutes, .seconds], width: .wide)))."
        case .busy: "The model is busy. Try again later."
        case .conversationTooLong: "The conversation is too long. Begin a new one."
        case .other(let error): error.errorDescription
        }
    }
}

struct ChatErrorMapper: ErrorMapper {
    func map(_ error: HTTPError) -> ChatError {
        if error.decoded(for: CompleteChat.self)?.error.code == "context_length_exceeded" { return .conversationTooLong }
        switch HTTPErrorMapper().map(error) {
        case .cancelled: return .cancelled
        case .rateLimited(let wait): return .busy(retryAfter: wait)
        case let other: return .other(other)
        }
    }
}
