/// Where the repository's method is written: a new repository, an extension of an existing one, or nowhere.
struct RepositoryHome {
    /// The kind of place.
    enum Kind {
        /// A new protocol and a new struct.
        case new
        /// An extension of the type of an existing file.
        case existing
        /// The existing file has a method of this name.
        case hasMethod
        /// The existing file has no type that is recognized.
        case unknown
        /// No repository is wanted.
        case none
    }

    let kind: Kind
    /// The name of the protocol, or nil if an existing file declares none.
    let protocolName: String?
    /// The type that sends, or nil if it is unknown.
    let typeName: String?
    /// The property of the type that holds the client.
    let client: String
    /// The name of the method: `listOrders`.
    let method: String

    init(plan: EndpointPlan, existing: String?) {
        method = Identifier.property(plan.name.prefix { $0.isUppercase }.count > 1 ? plan.name : RepositoryHome.lowered(plan.name))
        guard let repository = plan.repository else {
            (kind, protocolName, typeName, client) = (.none, nil, nil, "client")
            return
        }
        guard let existing else {
            (kind, protocolName, typeName, client) = (.new, repository, "HTTP" + repository, "client")
            return
        }
        protocolName = RepositoryHome.declares("protocol", repository, in: existing) ? repository : nil
        typeName = ["HTTP" + repository, repository].first { name in
            ["struct", "class", "actor"].contains { RepositoryHome.declares($0, name, in: existing) }
        }
        let property = existing.firstMatch(of: /(?:let|var) (\w+): (?:any HTTPClientProtocol|HTTPClient)\b/)
        client = property.map { String($0.1) } ?? "client"
        if existing.contains("func \(method)(") {
            kind = .hasMethod
        } else {
            kind = typeName != nil && property != nil ? .existing : .unknown
        }
    }

    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    private static func declares(_ keyword: String, _ name: String, in source: String) -> Bool {
        ["{", ":", " ", "\n"].contains { source.contains("\(keyword) \(name)\($0)") }
    }

    /// Whether the test calls the repository. Otherwise it sends the endpoint itself.
    var isCallable: Bool { kind == .new || kind == .existing }
}
