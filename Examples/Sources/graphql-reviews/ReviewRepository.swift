import Martlet
import MartletGraphQL

/// A movie, and the fields that the server could not load.
struct MovieDetails {
    let movie: MovieQuery.Data.Movie
    let missingFields: [String]
}

/// A step of the live list of reviews.
enum ReviewUpdate: Equatable {
    case connected
    case review(Review)
    case waiting(Duration)
}

/// Loads, adds and follows the reviews of a movie.
struct ReviewRepository: Sendable {
    let graphQL: any GraphQLOperationClient<ReviewError>

    /// Returns a movie. If some of its fields fail, the others are returned.
    func movie(_ id: GraphQLID) async throws(ReviewError) -> MovieDetails {
        let data: MovieQuery.Data, missing: [String]
        switch try await graphQL.result(of: MovieQuery(id: id)) {
        case .complete(let all): (data, missing) = (all, [])
        case .partial(let some, let errors): (data, missing) = (some, errors.compactMap { $0.path.last?.description })
        case .failed(let errors): throw graphQL.failure(for: .response(errors))
        }
        guard let movie = data.movie else { throw .noSuchMovie }
        return MovieDetails(movie: movie, missingFields: missing)
    }

    /// Adds a review and returns it as the server stored it.
    func add(stars: Int, text: String? = nil, to movie: GraphQLID) async throws(ReviewError) -> Review {
        let input = ReviewInput(movie: movie, stars: stars, text: text.map(GraphQLNullable.value))  // nil is left out
        return try await graphQL.execute(AddReviewMutation(input: input)).addReview
    }

    /// Calls `show` for each new review of a movie and each change of the connection, until the server ends the subscription.
    ///
    /// A lost connection is opened again after the last review that arrived.
    func follow(_ movie: GraphQLID, show: (ReviewUpdate) -> Void) async throws(ReviewError) {
        for try await signal in graphQL.subscribe(ReviewAddedSubscription(movie: movie)).signals {
            switch signal {
            case .open: show(.connected)
            case .result(.complete(let data)), .result(.partial(let data, _)): show(.review(data.reviewAdded))
            case .result(.failed(let errors)): throw graphQL.failure(for: .response(errors))
            case .reconnecting(let wait, _): show(.waiting(wait))
            default: break  // heartbeats
            }
        }
    }
}
