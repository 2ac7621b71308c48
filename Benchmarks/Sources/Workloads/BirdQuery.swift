import MartletGraphQL

/// A GraphQL query with one variable.
public struct BirdQuery: GraphQLQuery {
    public struct Data: Decodable, Sendable {
        public struct Bird: Decodable, Sendable { public let name: String }
        public let bird: Bird?
    }
    public static let document: GraphQLDocument = "query Bird($id: ID!) { bird(id: $id) { name } }"
    public let id: GraphQLID

    public init(id: GraphQLID) { self.id = id }
}

/// The GraphQL subscription of the workloads.
public struct SightingSubscription: GraphQLSubscription {
    public struct Data: Decodable, Sendable { public let bird: String }

    public static let document: GraphQLDocument = "subscription Sightings { bird }"

    public init() {}
}

/// ``BirdQuery`` as `martlet-graphql --json-readable` writes it.
public struct ReadBirdQuery: GraphQLQuery {
    public struct Data: Sendable {
        public struct Bird: Sendable { public let name: String }
        public let bird: Bird?
    }
    public static let document = BirdQuery.document
    public let id: GraphQLID

    public init(id: GraphQLID) { self.id = id }
}

extension ReadBirdQuery.Data: JSONReadable {
    public init(json: inout JSONReader) throws { try self.init(bird: json["bird"]) }
}

extension ReadBirdQuery.Data.Bird: JSONReadable {
    public init(json: inout JSONReader) throws { try self.init(name: json["name"]) }
}
