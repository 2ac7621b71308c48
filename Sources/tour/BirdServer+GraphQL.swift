import FoundationEssentials
import Martlet
import MartletTesting

extension BirdServer {
    /// Returns the GraphQL response: to a query, to a query with a failing field, or to a subscription.
    static func graphQL(_ request: RecordedRequest, broken: Bool) -> MockReply {
        let parameters = try? JSONValue(parsing: request.body)
        switch parameters?["operationName"]?.stringValue {
        case "Bird":
            guard let id = parameters?["variables"]?["id"]?.stringValue, let bird = birds.first(where: { "\($0.id)" == id }) else {
                return .json(#"{"data":{"bird":null}}"#)
            }
            return .json(#"{"data":{"bird":{"name":"\#(bird.name)"}}}"#)
        case "Nest":
            let error = #"{"message":"access denied","path":["bird","nest"],"extensions":{"code":"FORBIDDEN"}}"#
            return .json(#"{"data":{"bird":{"name":"Common swift","nest":null}},"errors":[\#(error)]}"#)
        case "Sightings" where request.headers[.accept]?.contains("text/event-stream") == true:
            let seen = ["Common swift", broken ? "crow" : "Alpine swift"]
            let events = seen.map { "event: next\ndata: {\"data\":{\"sighting\":{\"name\":\"\($0)\"}}}\n\n" }
            return .stream(events[0], events[1], "event: complete\ndata: \n\n", headers: [.contentType: "text/event-stream"])
        default: return .json(#"{"errors":[{"message":"no such operation"}]}"#, status: 400)
        }
    }
}
