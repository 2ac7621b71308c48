/// A page of a Relay connection (GraphQL Cursor Connections Specification): its items and where it stands.
///
/// ```swift
/// struct Data: Decodable { let birds: GraphQLConnection<Bird> }  // birds(after: $after) { nodes { … } pageInfo { hasNextPage endCursor } }
/// ```
///
/// It reads what was asked for: `edges { node { … } }`, `nodes { … }`, `pageInfo` and `totalCount`. Edges whose node is null are left out
/// of ``nodes``. A type of your own will do as well where it has a ``GraphQLPageInfo``.
public struct GraphQLConnection<Node: Decodable & Sendable>: Decodable, Sendable {
    /// The items.
    public let nodes: [Node]
    /// Where the page stands.
    public let pageInfo: GraphQLPageInfo
    /// How many items there are in all, where the server tells it.
    public let totalCount: Int?

    private enum CodingKeys: CodingKey { case nodes, edges, pageInfo, totalCount }

    private struct Edge: Decodable { let node: Node? }

    /// A page.
    public init(nodes: [Node], pageInfo: GraphQLPageInfo, totalCount: Int? = nil) {
        self.nodes = nodes
        self.pageInfo = pageInfo
        self.totalCount = totalCount
    }

    /// Reads a page.
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
    /// Writes `nodes`, `pageInfo` and, where it is known, `totalCount`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(nodes, forKey: .nodes)
        try container.encode(pageInfo, forKey: .pageInfo)
        try container.encodeIfPresent(totalCount, forKey: .totalCount)
    }
}

/// Where a page of a connection stands (GraphQL Cursor Connections Specification, `PageInfo`).
///
/// Ask for `hasNextPage endCursor` to go forward, and for `hasPreviousPage startCursor` to go backward; what was not asked for is as if
/// there were nothing there.
public struct GraphQLPageInfo: Codable, Sendable, Hashable {
    /// Whether more follows.
    public let hasNextPage: Bool
    /// The cursor of the last item: what the next page begins after.
    public let endCursor: String?
    /// Whether there is more before.
    public let hasPreviousPage: Bool
    /// The cursor of the first item: what the page before ends before.
    public let startCursor: String?

    private enum CodingKeys: CodingKey { case hasNextPage, endCursor, hasPreviousPage, startCursor }

    /// Where a page stands.
    public init(hasNextPage: Bool = false, endCursor: String? = nil, hasPreviousPage: Bool = false, startCursor: String? = nil) {
        self.hasNextPage = hasNextPage
        self.endCursor = endCursor
        self.hasPreviousPage = hasPreviousPage
        self.startCursor = startCursor
    }

    /// Reads where a page stands.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hasNextPage = try container.decodeIfPresent(Bool.self, forKey: .hasNextPage) ?? false
        endCursor = try container.decodeIfPresent(String.self, forKey: .endCursor)
        hasPreviousPage = try container.decodeIfPresent(Bool.self, forKey: .hasPreviousPage) ?? false
        startCursor = try container.decodeIfPresent(String.self, forKey: .startCursor)
    }
}
