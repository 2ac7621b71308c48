// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import Martlet
public import MartletGraphQL

// Models and endpoints of the examples.

public struct User: Codable, Sendable, Identifiable, Equatable {
    public var id: Int
    public var name: String

    public init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

public let ada = User(id: 1, name: "Ada")

public struct GetUser: Endpoint {
    public typealias Response = User
    public let id: Int
    public var path: Path { "users/\(id)" }

    public init(id: Int) { self.id = id }
}

public struct UserPage: Codable, Sendable {
    public var users: [User]
    public var next: String?
}

public struct ListUsers: Endpoint {
    public typealias Response = [User]
    public var path: Path { "users" }

    public init() {}
}

public struct Bird: Codable, Sendable, Equatable {
    public var name: String
    public init(name: String) { self.name = name }
}

public struct ListBirds: Endpoint {
    public typealias Response = [Bird]
    public var page: Int
    public var path: Path { "birds" }

    public init(page: Int = 1) { self.page = page }
}

public struct News: Codable, Sendable {}
public struct Product: Codable, Sendable {}
public struct Pool: Codable, Sendable {}
public struct Price: Codable, Sendable {}
public struct Photo: Codable, Sendable {}
public struct Chunk: Codable, Sendable { public var text: String }
public struct Repo: Codable, Sendable {}
public struct Hero: Codable, Sendable {
    public var name: String
    public init(name: String) { self.name = name }
}

public struct ListRepos: Endpoint {
    public typealias Response = [Repo]
    public var path: Path { "repos" }
    public init() {}
}

public struct PostPhoto: Endpoint {
    public typealias Response = Photo
    public let file: URL
    public var path: Path { "photos" }
    public var method: HTTPMethod { .post }
    public var body: RequestBody? { .file(file) }

    public init(file: URL) { self.file = file }
}

public struct RefreshSession: Endpoint {
    public struct Response: Decodable, Sendable { public let accessToken: AccessToken }
    public let token: String?
    public var path: Path { "session" }

    public init(token: String?) { self.token = token }
}

public struct HeroQuery: GraphQLQuery {
    public struct Data: Codable, Sendable {
        public let hero: Hero?
        public init(hero: Hero?) { self.hero = hero }
    }
    public static let document: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { name } }"
    public let id: GraphQLID

    public init(id: GraphQLID) { self.id = id }
}

public struct RenameHero: GraphQLMutation {
    public struct Data: Codable, Sendable { public let renameHero: Hero? }
    public static let document: GraphQLDocument = "mutation Rename($id: ID!, $name: String!) { renameHero(id: $id, name: $name) { name } }"
    public let id: GraphQLID
    public let name: String

    public init(id: GraphQLID, name: String) {
        self.id = id
        self.name = name
    }
}

public struct BirdsQuery: GraphQLQuery {
    public struct Data: Codable, Sendable { public let birds: GraphQLConnection<Bird> }
    public static let document: GraphQLDocument =
        "query Birds($after: String) { birds(after: $after) { nodes { name } pageInfo { endCursor hasNextPage } } }"
    public init() {}
}

public struct ReviewAdded: GraphQLSubscription {
    public struct Data: Codable, Sendable {
        public let review: String
        public init(review: String) { self.review = review }
    }
    public static let document: GraphQLDocument = "subscription { review }"
    public init() {}
}

public struct SearchUsers: Endpoint {
    public typealias Response = UserPage
    public var path: Path { "users" }
    public init() {}
}

public struct SearchBirds: Endpoint {
    public struct Response: Decodable, Sendable { public let results: [Bird]; public let next: String? }
    public var path: Path { "birds" }
    public init() {}
}

public enum API: Endpoint {
    case user(Int)
    public typealias Response = User
    public var path: Path { "users" }
}

public struct UserRepository: Sendable {
    let http: any HTTPClientProtocol
    public init(http: any HTTPClientProtocol) { self.http = http }
    public func user(_ id: Int) async throws(HTTPError) -> User { try await http.send(GetUser(id: id)) }
}

public struct HeroRepository: Sendable {
    let graphQL: any GraphQLClientProtocol
    public init(graphQL: any GraphQLClientProtocol) { self.graphQL = graphQL }
    public func hero(_ id: GraphQLID) async throws(GraphQLError) -> Hero? { try await graphQL.execute(HeroQuery(id: id)).hero }
}

public struct Draft: Codable, Sendable {
    public var text: String

    public init(text: String) { self.text = text }
}

public struct Post: Codable, Sendable {
    public var author: String
    public var text: String
}
