import Martlet
import MartletGraphQL

struct BirdQuery: GraphQLQuery {
    struct Data: Decodable { let bird: Named? }
    static let document: GraphQLDocument = "query Bird($id: ID!) { bird(id: $id) { name } }"
    let id: GraphQLID
}

struct NestQuery: GraphQLQuery {
    struct Data: Decodable {
        struct Bird: Decodable { let name: String, nest: String? }
        let bird: Bird?
    }
    static let document: GraphQLDocument = "query Nest { bird(id: 1) { name nest } }"
}

struct Sightings: GraphQLSubscription {
    struct Data: Decodable { let sighting: Named }
    static let document: GraphQLDocument = "subscription Sightings { sighting { name } }"
}

struct Named: Decodable { let name: String }

extension Step {
    static let graphQL = Step(name: "graphql", title: "GraphQL over the same client: a query, partial data, a subscription") { stage in
        let graphQL = GraphQLClient(stage.client, path: "graphql")
        stage.printer.asked("execute(BirdQuery(id: \"1\"))")
        let bird = try await graphQL.execute(BirdQuery(id: "1")).bird
        stage.printer.got("Bird: \(bird?.name ?? "none")")
        try check(bird?.name == "Common swift", "expected the common swift, got \(bird?.name ?? "none")")

        stage.printer.asked("result(of: NestQuery())")
        guard case .partial(let data, let errors) = try await graphQL.result(of: NestQuery()) else { throw Misbehaviour("not partial") }
        stage.printer.got("partial: \(data.bird?.name ?? "none"), and \(errors.map { "\($0)" }.joined(separator: "; "))")
        try check(errors.first?.code == "FORBIDDEN" && data.bird?.nest == nil, "other errors: \(errors)")

        stage.printer.asked("for try await result in subscribe(Sightings())")
        var seen: [String] = []
        for try await result in graphQL.subscribe(Sightings()) { seen.append(try result.get().sighting.name) }
        stage.printer.got("\(seen.joined(separator: ", ")), complete")
        try check(seen == ["Common swift", "Alpine swift"], "expected two swifts, got \(seen)")
    }
}
