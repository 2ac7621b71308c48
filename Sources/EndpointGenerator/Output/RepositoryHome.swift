/// Where the repository's method is written: a new repository, an extension of an existing one, or nowhere.
struct RepositoryHome {
    /// The kind of place.
    enum Kind {
        /// A new protocol and a new struct.
        case new
        /// An extension of the type of an existing file.
        case existing
        /// The existing file has the method.
        case complete
        /// The existing file has another method of this name.
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
    /// Whether the test can create the type with a mock.
    private let isCreatable: Bool
    /// The name of the method: `listOrders`.
    let method: String

    init(plan: EndpointPlan, existing: String?) {
        let name = Identifier.property(plan.name.prefix { $0.isUppercase }.count > 1 ? plan.name : RepositoryHome.lowered(plan.name))
        method = name == "client" ? "clientValue" : Identifier.escaped(name)
        guard let repository = plan.repository else {
            (kind, protocolName, typeName, client, isCreatable) = (.none, nil, nil, "client", false)
            return
        }
        guard let existing else {
            (kind, protocolName, typeName, client, isCreatable) = (.new, repository, "HTTP" + repository, "client", true)
            return
        }
        protocolName = RepositoryHome.declares("protocol", repository, in: existing) ? repository : nil
        typeName = ["HTTP" + repository, repository].first { name in
            ["struct", "class", "actor"].contains { RepositoryHome.declares($0, name, in: existing) }
        }
        let property = existing.firstMatch(
            of: /(?m)^\s*(private |fileprivate )?(?:\w+ )*?(?:let|var) (\w+): (any HTTPClientProtocol|HTTPClient)\b/)
        isCreatable = property?.3 == "any HTTPClientProtocol" && RepositoryHome.takesOnly(property?.2 ?? "", in: existing)
        client = property.map { String($0.2) } ?? "client"
        if existing.contains("func \(method)(") {
            let requirement = RepositorySource.requirement(plan, method: method)
            kind = RepositoryHome.signature(existing).contains(RepositoryHome.signature(requirement)) ? .complete : .hasMethod
        } else {
            kind = typeName != nil && property != nil && property?.1 == nil ? .existing : .unknown
        }
    }

    /// Whether a type is created with a client only: it has one stored property, and no initializer with other parameters.
    private static func takesOnly(_ client: Substring, in source: String) -> Bool {
        let stored = source.matches(of: /(?m)^(?: {4}|\t)(?:\w+ )*?(?:let|var) \w+[^{\n]*$/)
        let initializers = source.matches(of: /\binit\(([^)]*)\)/)
        return stored.count == 1 && initializers.allSatisfy { $0.1 == "\(client): any HTTPClientProtocol" }
    }

    /// Returns source without spaces, line breaks and default values.
    private static func signature(_ source: String) -> String { source.replacing("= nil", with: "").filter { !$0.isWhitespace } }

    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    private static func declares(_ keyword: String, _ name: String, in source: String) -> Bool {
        ["{", ":", " ", "\n"].contains { source.contains("\(keyword) \(name)\($0)") }
    }

    /// Whether a method is written that sends the endpoint.
    var isCallable: Bool { kind == .new || kind == .existing }

    /// Whether the test calls the repository. Otherwise it sends the endpoint itself.
    var isTested: Bool { (isCallable || kind == .complete) && isCreatable }
}
