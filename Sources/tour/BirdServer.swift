import FoundationEssentials
import Martlet
import MartletTesting

/// The servers of the tour, on real sockets. At the step named by `broken`, they misbehave on purpose.
struct BirdServer: Sendable {
    static let birds = [Bird(id: 1, name: "Common swift", wingspan: 42), Bird(id: 2, name: "Sand martin", wingspan: 28)]

    let main: MockServer
    /// The server at another origin, for the redirect.
    let other: MockServer
    /// The server that is stopped during the tour, for the cache.
    let flock: MockServer

    static func start(broken: String?) async throws -> BirdServer {
        let other = try await MockServer.start { request in
            // A credential must not reach another origin.
            request.headers.contains(.authorization) ? .status(500) : .json(#"{"id":3,"name":"Alpine swift","wingspan":57}"#)
        }
        let elsewhere = other.url.absoluteString
        let main = try await MockServer.start { request in reply(to: request, elsewhere: elsewhere, broken: broken) }
        // The replies are returned in this order: first busy, then the bird.
        main.on(.get("/busy"), .status(503, headers: [.retryAfter: broken == "retry" ? "3600" : "1"]), json(birds[0]))
        let down = broken == "breaker" ? json(birds[0]) : .status(503)
        main.on(.get("/flaky"), down, down, down, json(birds[0]))
        main.on(
            .get("/atlas"), .status(broken == "observe" ? 403 : 401), .status(503),
            .status(302, headers: [.location: "/atlas/africa"]))
        // The first connection breaks off after a message.
        main.on(
            .get("/chat"), .webSocket(.expect("srii?"), .send("srii!"), .drop()),
            .webSocket(.expect("srii?"), .send(broken == "chat" ? "caw" : "srii-srii!"), .close()))
        let flock = try await MockServer.start { request in birdsThatKeep(request, broken: broken == "cache") }
        return BirdServer(main: main, other: other, flock: flock)
    }

    func stop() async {
        await main.stop()
        await other.stop()
        await flock.stop()
    }

    /// Returns birds that stay fresh for a minute and never change.
    private static func birdsThatKeep(_ request: RecordedRequest, broken: Bool) -> MockReply {
        let headers: HTTPFields = [
            .eTag: "\"flock-1\"", .cacheControl: broken ? "no-store" : "max-age=60, stale-while-revalidate=30, stale-if-error=86400",
        ]
        return request.headers[.ifNoneMatch] == headers[.eTag] ? .status(304, headers: headers) : json(birds, headers: headers)
    }

    /// The file to download: 4 MiB without two equal blocks.
    static let song = Data(
        (0..<4 * 1024).flatMap { block in [UInt8](repeating: UInt8(truncatingIfNeeded: block), count: 1020) + number(block) })

    private static func number(_ block: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: block >> ($0 * 8)) } }

    private static func reply(to request: RecordedRequest, elsewhere: String, broken: String?) -> MockReply {
        switch (request.method, request.path) {
        case (.get, "/birds") where request.query == ["min_wingspan": "40"]:
            return broken == "value" ? .json("[{]") : json(birds.filter { $0.wingspan > 40 })
        case (.get, "/birds/2"): return broken == "struct" ? .status(404) : json(birds[1])
        case (.get, "/birds"): return broken == "enum" ? .status(500) : json(birds)
        case (.get, "/birds/1"):
            return broken == "envelope"
                ? json(birds[0]) : json(birds[0], headers: [.eTag: "\"v7\"", "Set-Cookie": "a=1", "set-cookie": "b=2"])
        case (.post, "/birds"): return add(request, broken: broken)
        case (.get, "/moved"):
            return .status(302, headers: [.location: broken == "redirect" ? "/moved" : elsewhere + "birds/3"])
        case (.get, "/slow"): return broken == "timeout" ? json(birds[0]) : json(birds[0]).delayed(by: .seconds(30))
        case (.get, "/stuck"): return broken == "cancel" ? json(birds[0]) : json(birds[0]).delayed(by: .seconds(30))
        case (.get, "/nest"): return request.headers[.authorization] == "Bearer n3w-t0k3n" ? json(birds[1]) : .status(401)
        case (.post, "/session"):
            return broken == "refresh" ? .status(500) : .json(#"{"access_token":"n3w-t0k3n","refresh_token":"r3fr3sh-2"}"#)
        case (.post, "/session-login"):
            let cookie = broken == "cookies" ? "session=s3cret-cookie; Domain=com" : "session=s3cret-cookie; Path=/; HttpOnly"
            return .status(302, headers: [.location: "/own-nest", .setCookie: cookie])
        case (.get, "/own-nest"): return request.headers[.cookie] == "session=s3cret-cookie" ? json(birds[1]) : .status(401)
        case (.get, "/atlas/africa"): return json(birds[1], headers: [.cacheControl: "max-age=60"])
        case (.post, "/login"): return .status(broken == "log" ? 500 : 204, headers: [.setCookie: "session=s3cret-cookie"])
        case (.get, "/ping"): return .status(204)
        case (.get, "/song"): return song(request, broken: broken == "download")
        case (.get, "/sightings"): return sightings(after: request.headers["Last-Event-ID"], broken: broken == "events")
        case (.post, "/graphql"): return graphQL(request, broken: broken == "graphql")
        default: return .status(404)
        }
    }

    private static func add(_ request: RecordedRequest, broken: String?) -> MockReply {
        guard let bird = try? JSONBodyDecoder.json.decode(NewBird.self, from: request.body) else { return .status(400) }
        if bird.name.isEmpty {
            if broken == "fields" { return .status(204) }
            return .json(#"{"errors":[{"field":"name","message":"must not be empty"}]}"#, status: 422)
        }
        if broken == "post" { return .disconnect }
        return json(Bird(id: 4, name: bird.name, wingspan: bird.wingspan), status: 201)
    }

    /// Returns the song. The first response breaks off after a third of the bytes.
    private static func song(_ request: RecordedRequest, broken: Bool) -> MockReply {
        let headers: HTTPFields = [.eTag: "\"first-recording\""]
        guard let range = request.headers[.range], request.headers[.ifRange] == headers[.eTag],
            let start = Int(range.dropFirst("bytes=".count).dropLast())
        else { return .data(song, contentType: "audio/ogg", headers: headers).disconnecting(afterBodyBytes: song.count / 3) }
        var rest = Data(song.dropFirst(start))
        if broken { rest[rest.count / 2] ^= 1 }
        let place: HTTPFields = [.contentRange: "bytes \(start)-\(song.count - 1)/\(song.count)", .eTag: headers[.eTag] ?? ""]
        return .data(rest, contentType: "audio/ogg", status: 206, headers: place)
    }

    /// Returns events. The first stream breaks off after the second event.
    private static func sightings(after id: String?, broken: Bool) -> MockReply {
        switch id {
        case nil:
            .stream(
                "event: bird\nid: 1\ndata: a swift\n\n", "event: bird\nid: 2\ndata: a martin\n\nevent: bi",
                headers: [.contentType: "text/event-stream"])
        case "2": .events([.init("a \(broken ? "crow" : "swallow")", type: "bird", id: "3")])
        default: .status(204)
        }
    }

    private static func json(_ value: some Encodable, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        guard let body = try? JSONBodyEncoder.json.encode(value) else { return .status(500) }
        return .json(String(decoding: body, as: UTF8.self), status: status, headers: headers)
    }

    // MARK: GraphQL

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
