import MartletGraphQL

struct Review: Decodable, Equatable {
    let id: GraphQLID
    let stars: Int
    let text: String?

    /// The fields of a review. The documents share them.
    static let fragment: GraphQLFragment = "fragment ReviewFields on Review { id stars text }"
}

struct MovieQuery: GraphQLQuery {
    struct Data: Decodable {
        let movie: Movie?
    }

    struct Movie: Decodable {
        let title: String
        let boxOffice: Int?  // a field that may fail is optional
        let reviews: [Review]
    }

    static let document: GraphQLDocument = """
        query Movie($id: ID!) { movie(id: $id) { title boxOffice reviews { \(Review.fragment) } } }
        """
    let id: GraphQLID
}

struct AddReview: GraphQLMutation {
    struct Data: Decodable {
        let addReview: Review
    }

    struct Input: Encodable {
        let movie: GraphQLID
        let stars: Int
        let text: String?  // nil is left out
    }

    static let document: GraphQLDocument = """
        mutation AddReview($input: ReviewInput!) { addReview(input: $input) { \(Review.fragment) } }
        """
    let input: Input
}

struct ReviewAdded: GraphQLSubscription {
    struct Data: Decodable {
        let reviewAdded: Review
    }

    static let document: GraphQLDocument = """
        subscription ReviewAdded($movie: ID!) { reviewAdded(movie: $movie) { \(Review.fragment) } }
        """
    let movie: GraphQLID
}
