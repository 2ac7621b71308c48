import Foundation
import Martlet

/// Why a search has no result, in words for the user of a terminal.
enum SearchError: LocalizedError, Equatable {
    case invalidQuery(String)
    case rateLimited(until: Date?)
    case notStored
    case other(APIError)

    var errorDescription: String? {
        switch self {
        case .invalidQuery(let message): "GitHub does not understand the query: \(message)"
        case .rateLimited(let date?): "GitHub's limit is reached. Try again at \(date.formatted(date: .omitted, time: .standard))."
        case .rateLimited: "GitHub's limit is reached. Try again in a minute."
        case .notStored: "This search is not stored. Run it once without --offline."
        case .other(let error): error.errorDescription
        }
    }
}

struct SearchErrorMapper: ErrorMapper {
    let isOffline: Bool

    func map(_ error: HTTPError) -> SearchError {
        guard let response = error.response else { return .other(HTTPErrorMapper().map(error)) }
        switch response.status {
        case .gatewayTimeout where isOffline:  // how a cache reports that nothing is stored (RFC 9111 §5.2.1.7)
            return .notStored
        case .unprocessableContent:
            return .invalidQuery(error.decoded(for: SearchRepositories.self)?.message ?? "no reason given")
        case .forbidden where response.headers["X-RateLimit-Remaining"] == "0", .tooManyRequests:
            let reset = response.headers["X-RateLimit-Reset"].flatMap(TimeInterval.init)
            return .rateLimited(until: reset.map(Date.init(timeIntervalSince1970:)))
        default:
            return .other(HTTPErrorMapper().map(error))
        }
    }
}
