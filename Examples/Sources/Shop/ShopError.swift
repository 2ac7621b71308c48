import Foundation
import Martlet

/// Why a call of the shop failed, as its views need it.
package nonisolated enum ShopError: LocalizedError, Equatable {
    /// The user left the view.
    case cancelled
    /// The server rejects some fields of the form.
    case invalidFields([FieldError])
    case soldOut
    case other(APIError)

    /// The message for people, or nil after a cancellation.
    package var errorDescription: String? {
        switch self {
        case .cancelled: nil
        case .invalidFields: "Please check what you entered."
        case .soldOut: "Someone was faster: this product is sold out."
        case .other(let error): error.errorDescription
        }
    }

    /// Whether the same call may succeed later.
    var isRetryable: Bool {
        if case .other(let error) = self { error.isRetryable } else { false }
    }
}

nonisolated struct ShopErrorMapper: ErrorMapper {
    func map(_ error: HTTPError) -> ShopError {
        if error.status == .conflict { return .soldOut }
        switch HTTPErrorMapper().map(error) {
        case .cancelled: return .cancelled
        case .validationError(let fields): return .invalidFields(fields)
        case let other: return .other(other)
        }
    }
}
