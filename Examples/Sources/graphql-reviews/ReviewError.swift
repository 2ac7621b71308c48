import Foundation
import Martlet
import MartletGraphQL

/// What the user reads when an operation fails.
enum ReviewError: LocalizedError, Equatable {
    case noSuchMovie
    case alreadyReviewed
    case other(APIError)

    var errorDescription: String? {
        switch self {
        case .noSuchMovie: "There is no such movie."
        case .alreadyReviewed: "You have already reviewed this movie."
        case .other(let error): error.errorDescription  // nil after a cancellation
        }
    }
}

extension ReviewError {
    init(_ error: GraphQLError) {
        let isKnown = error.errors.contains { $0.code == "ALREADY_REVIEWED" }
        self = isKnown ? .alreadyReviewed : .other(GraphQLErrorMapper().map(error))  // knows the usual codes, such as BAD_USER_INPUT
    }
}
