public import MartletCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sends GraphQL operations through an HTTP client, and gives typed data.
///
/// ```swift
/// let http = HTTPClient(baseURL: URL(string: "https://api.example"), interceptors: [AuthInterceptor(tokens)])
/// let graphQL = GraphQLClient(http, path: "graphql")
/// let data = try await graphQL.execute(HeroQuery(id: "1000"))
/// ```
///
/// Interceptors, limits, deadlines and doubles are those of the HTTP client. Its methods throw `GraphQLError`, and only that.
public struct GraphQLClient: GraphQLClientProtocol {
    /// The client that sends.
    public let client: any HTTPClientProtocol
    /// How operations are sent and read.
    public let configuration: Configuration
    let target: GraphQLTarget

    /// A client whose server's GraphQL is at a path below the HTTP client's base URL.
    public init(_ client: any HTTPClientProtocol, path: Path = "graphql", configuration: Configuration = Configuration()) {
        self.client = client
        self.configuration = configuration
        target = GraphQLTarget(path: path)
    }

    /// A client whose server's GraphQL is at a full URL.
    public init(_ client: any HTTPClientProtocol, url: URL, configuration: Configuration = Configuration()) {
        self.client = client
        self.configuration = configuration
        target = GraphQLTarget(url: url)
    }

    /// How operations are sent and read, each part with its default.
    public struct Configuration: Sendable {
        /// What writes the variables: dates and data in its way. Its keys must be as they are. Default: `.json`.
        public var encoder: JSONEncoder
        /// What reads the data. Default: nil, the HTTP client's decoder.
        public var decoder: (any BodyDecoder)?
        /// Fields of every request.
        public var headers: HTTPFields
        /// What errors beside data mean. Default: nil, `execute` throws them and `result(of:)` gives both.
        public var errorPolicy: ErrorPolicy?

        /// A configuration.
        public init(
            encoder: JSONEncoder = .json, decoder: (any BodyDecoder)? = nil, headers: HTTPFields = [:], errorPolicy: ErrorPolicy? = nil
        ) {
            self.encoder = encoder
            self.decoder = decoder
            self.headers = headers
            self.errorPolicy = errorPolicy
        }
    }

    /// What errors beside data mean.
    public var errorPolicy: ErrorPolicy? { configuration.errorPolicy }

    var decoder: any BodyDecoder { configuration.decoder ?? client.decoder }
}
