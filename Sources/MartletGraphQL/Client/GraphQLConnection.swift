/// One page of a Relay connection, with its items and its position (GraphQL Cursor Connections Specification).
///
/// ```swift
/// // birds(after: $after) { nodes { … } pageInfo { hasNextPage endCursor } }
/// struct Data: Decodable { let birds: GraphQLConnection<Bird> }
/// ```
///
/// It decodes `edges { node { … } }` or `nodes { … }`, `pageInfo` and `totalCount`. Edges whose node is null are left out of ``nodes``. A
/// type of your own works too if it has a ``GraphQLPageInfo``.
public struct GraphQLConnection<Node: Decodable & Sendable>: Decodable, Sendable {
    /// The items of the page, without null nodes.
    public let nodes: [Node]
    /// The position of the page, with its cursors and whether more pages exist.
    public let pageInfo: GraphQLPageInfo
    /// The total number of items in the connection, or nil if the response does not contain it.
    public let totalCount: Int?

    private enum CodingKeys: CodingKey { case nodes, edges, pageInfo, totalCount }

    private struct Edge: Decodable { let node: Node? }

    /// Creates a page of a connection, for example for a stub.
    public init(nodes: [Node], pageInfo: GraphQLPageInfo, totalCount: Int? = nil) {
        self.nodes = nodes
        self.pageInfo = pageInfo
        self.totalCount = totalCount
    }

    /// Decodes a page from `nodes` or `edges`, and throws if `pageInfo` is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let nodes = try container.decodeIfPresent([Node?].self, forKey: .nodes) {
            self.nodes = nodes.compactMap(\.self)
        } else if let edges = try container.decodeIfPresent([Edge?].self, forKey: .edges) {
            nodes = edges.compactMap { $0?.node }
        } else {
            nodes = []
        }
        pageInfo = try container.decode(GraphQLPageInfo.self, forKey: .pageInfo)
        totalCount = try container.decodeIfPresent(Int.self, forKey: .totalCount)
    }
}

extension GraphQLConnection: Equatable where Node: Equatable {}
extension GraphQLConnection: Hashable where Node: Hashable {}

extension GraphQLConnection: Encodable where Node: Encodable {
    /// Encodes `nodes`, `pageInfo` and, if it is known, `totalCount`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(nodes, forKey: .nodes)
        try container.encode(pageInfo, forKey: .pageInfo)
        try container.encodeIfPresent(totalCount, forKey: .totalCount)
    }
}

/// The position of a page in a connection (GraphQL Cursor Connections Specification, `PageInfo`).
///
/// Request `hasNextPage endCursor` to page forward, or `hasPreviousPage startCursor` to page backward. Fields that were not requested are
/// `false` or nil.
public struct GraphQLPageInfo: Codable, Sendable, Hashable {
    /// Whether another page follows; false if the query did not request it.
    public let hasNextPage: Bool
    /// The cursor of the last item on the page, after which the next page begins, or nil.
    public let endCursor: String?
    /// Whether another page precedes this one; false if the query did not request it.
    public let hasPreviousPage: Bool
    /// The cursor of the first item on the page, before which the previous page ends, or nil.
    public let startCursor: String?

    private enum CodingKeys: CodingKey { case hasNextPage, endCursor, hasPreviousPage, startCursor }

    /// Creates the position of a page, for example for a stub.
    public init(hasNextPage: Bool = false, endCursor: String? = nil, hasPreviousPage: Bool = false, startCursor: String? = nil) {
        self.hasNextPage = hasNextPage
        self.endCursor = endCursor
        self.hasPreviousPage = hasPreviousPage
        self.startCursor = startCursor
    }

    /// Decodes the position of a page, whose missing fields are `false` or nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hasNextPage = try container.decodeIfPresent(Bool.self, forKey: .hasNextPage) ?? false
        endCursor = try container.decodeIfPresent(String.self, forKey: .endCursor)
        hasPreviousPage = try container.decodeIfPresent(Bool.self, forKey: .hasPreviousPage) ?? false
        startCursor = try container.decodeIfPresent(String.self, forKey: .startCursor)
    }
}
