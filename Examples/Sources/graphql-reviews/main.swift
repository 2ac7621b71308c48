// A GraphQL client: a query with partial errors, a mutation, and a subscription that survives a lost connection.
import CommandLineSupport
import Foundation
import Martlet
import MartletGraphQL
import MartletTesting

let program = Program(
    "graphql-reviews", "Shows a movie and follows its reviews. A token is read from REVIEWS_TOKEN in the environment.",
    options: [.value("--movie", "ID", "The movie. Default: 1.")])
let arguments = program.arguments()
let movie = GraphQLID(arguments["--movie"] ?? "1")

/// Prints a movie and returns the names of the fields that are missing.
func show(_ id: GraphQLID, from repository: ReviewRepository) async throws(ReviewError) -> [String] {
    let details = try await repository.movie(id)
    print("\(details.movie.title), reviews: \(details.movie.reviews.count)")
    for review in details.movie.reviews { print(text(for: review)) }
    for field in details.missingFields { print("\(field): not available") }
    return details.missingFields
}

func text(for review: Review) -> String {
    "\(String(repeating: "★", count: min(max(review.stars, 0), 5))) \(review.text ?? "")"  // a negative count would trap
}

/// Follows the reviews of a movie and returns the updates.
func follow(_ id: GraphQLID, from repository: ReviewRepository) async throws(ReviewError) -> [ReviewUpdate] {
    var updates: [ReviewUpdate] = []
    try await repository.follow(id) { update in
        switch update {
        case .connected: print("(live)")
        case .review(let review): print(text(for: review))
        case .waiting(let wait): print("(connection lost, next attempt in \(wait.formatted(.units(allowed: [.seconds]))))")
        }
        updates.append(update)
    }
    return updates
}

/// Returns what the user reads if a call fails.
func message<Value>(_ call: () async throws -> Value) async -> String? {
    do {
        _ = try await call()
        return nil
    } catch {
        return (error as? ReviewError)?.errorDescription
    }
}

if let url = arguments.baseURL {
    let repository = ReviewRepository(baseURL: url, token: ProcessInfo.processInfo.environment["REVIEWS_TOKEN"])
    do {
        _ = try await show(movie, from: repository)
        _ = try await follow(movie, from: repository)
    } catch {
        program.fail(error.localizedDescription)
    }
} else {
    let server = try await startServer(), time = ManualTime()
    let repository = ReviewRepository(baseURL: server.url, token: "t0ken", time: time)

    let missing = try await show("1", from: repository)
    precondition(missing == ["boxOffice"])
    let unknown = await message { try await show("2", from: repository) }

    let added = try await repository.add(stars: 4, to: "1")
    print("added: \(text(for: added))")
    let refused = await message { try await repository.add(stars: 4, to: "1") }
    print(unknown ?? "", refused ?? "", separator: "\n")
    precondition(added.id == "r2" && refused == "You have already reviewed this movie." && unknown == "There is no such movie.")

    let updates = try await follow("1", from: repository)
    let ids = updates.compactMap { if case .review(let review) = $0 { review.id.description } else { nil } }
    precondition(ids == ["r3", "r4", "r5"], "no review is lost or repeated")
    precondition(updates.filter { $0 == .connected }.count == 2 && updates.contains(.waiting(time.sleeps[0])))
    precondition(server.unexpectedRequests.isEmpty)
}
