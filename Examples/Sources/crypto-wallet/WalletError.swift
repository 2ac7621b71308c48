import Foundation
import Martlet

/// What a view shows when a call of the exchange fails.
enum WalletError: LocalizedError, Equatable {
    case insufficientFunds(missing: Amount?)
    case unknownRecipient
    case other(APIError)

    /// The message for people, or nil after a cancellation.
    var errorDescription: String? {
        switch self {
        case .insufficientFunds(let missing?): "You need \(missing) more for this transfer."
        case .insufficientFunds: "You don't have enough for this transfer."
        case .unknownRecipient: "There is no wallet with this address."
        case .other(let error): error.errorDescription
        }
    }
}

struct WalletErrorMapper: ErrorMapper {
    func map(_ error: HTTPError) -> WalletError {
        let refusal = error.decoded(for: WalletAPI.self)  // nil for any other body
        switch refusal?.code {
        case "insufficient_funds": return .insufficientFunds(missing: refusal?.missing)
        case "unknown_recipient": return .unknownRecipient
        default: return .other(HTTPErrorMapper().map(error))
        }
    }
}
