import Foundation
import Martlet
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

/// A hero with an optional name and a required song.
struct Singer: Codable, Sendable, Equatable {
    struct Hero: Codable, Sendable, Equatable {
        let id: String
        let name: String?
    }
    let hero: Hero?
}

extension MockReply {
    /// A multipart response in which each part arrives as one chunk with the boundary after it.
    static func parts(_ parts: String..., boundary: String = "-", status: HTTPStatus = 200, closes: Bool = true) -> MockReply {
        let pieces = parts.map { "\r\nContent-Type: application/json\r\n\r\n\($0)\r\n--\(boundary)" }
        let end = closes ? "--\r\n" : ""
        return .stream(
            (["--\(boundary)"] + pieces + [end]).map { Data($0.utf8) }, status: status,
            headers: [.contentType: "multipart/mixed; boundary=\"\(boundary)\""])
    }
}

@Suite("Updates with incremental delivery", .timeLimit(.minutes(5)))
struct GraphQLUpdateTests {
    private let operation = GraphQLOperation<Singer>("query Q { hero { id ... @defer { name } } }")

    private func updates(
        _ reply: MockReply, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async -> (updates: [GraphQLUpdate<Singer>], error: GraphQLError?) {
        await all(graphQL { _ in reply }.client.updates(operation, options: options))
    }

    private func all<D>(_ sequence: GraphQLUpdateSequence<D, GraphQLError>) async -> (updates: [GraphQLUpdate<D>], error: GraphQLError?) {
        var updates: [GraphQLUpdate<D>] = [], iterator = sequence.makeAsyncIterator()
        do throws(GraphQLError) {
            while let update = try await iterator.next() { updates.append(update) }
            return (updates, nil)
        } catch { return (updates, error) }
    }

    private static let first = #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#
    private static let last = #"{"incremental":[{"id":"0","data":{"name":"Swift"}}],"completed":[{"id":"0"}],"hasNext":false}"#

    @Test("Each part is an update with everything received so far")
    func growing() async {
        let (updates, error) = await updates(.parts(Self.first, Self.last))
        #expect(error == nil)
        #expect(
            updates == [
                GraphQLUpdate(result: .complete(Singer(hero: .init(id: "1", name: nil))), hasNext: true),
                GraphQLUpdate(result: .complete(Singer(hero: .init(id: "1", name: "Swift")))),
            ])
    }

    @Test("Each iteration sends one POST that accepts both formats, and nothing is sent before")
    func request() async throws {
        let (client, transport) = graphQL { _ in .parts(Self.first, Self.last) }
        let sequence = client.updates(operation)
        #expect(transport.requests.isEmpty)
        _ = await all(sequence)
        _ = await all(sequence)
        #expect(transport.requests.count == 2)
        let sent = try #require(transport.requests.first)
        #expect(sent.method == .post && sent.json?["operationName"] == "Q" && sent.headers[.contentType] == "application/json")
        #expect(
            sent.headers[.accept]
                == "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json;q=0.9"
        )
    }

    @Test("A response in one part is one update, read by the usual rules")
    func plain() async {
        let whole = await updates(.json(#"{"data":{"hero":{"id":"1","name":"S"}},"extensions":{"cost":3}}"#))
        #expect(whole.updates == [GraphQLUpdate(result: .complete(Singer(hero: .init(id: "1", name: "S"))), extensions: ["cost": 3])])
        let refused = await updates(
            .json(#"{"errors":[{"message":"no"}]}"#, status: 400, headers: [.contentType: "application/graphql-response+json"]))
        #expect(refused.updates.map(\.errors) == [[GraphQLResponseError(message: "no")]] && refused.error == nil)
        let html = await updates(.text("<html>", status: 502, headers: [.contentType: "text/html"]))
        #expect(html.updates.isEmpty && html.error?.httpError?.status == 502)
    }

    @Test("Updates without required fields are skipped, and the last one must match the type")
    func missing() async {
        struct Strict: Decodable, Sendable, Equatable {
            struct Hero: Decodable, Sendable, Equatable { let name: String }
            let hero: Hero
        }
        let operation = operation.decoding(as: Strict.self)
        let fits = await all(graphQL { _ in .parts(Self.first, Self.last) }.client.updates(operation))
        #expect(fits.updates.map(\.data) == [Strict(hero: .init(name: "Swift"))] && fits.error == nil)
        let lacking = await all(
            graphQL { _ in .parts(Self.first, #"{"completed":[{"id":"0"}],"hasNext":false}"#) }.client.updates(operation))
        guard case .http(.decodingFailed(let failure)) = lacking.error else { Issue.record("\(lacking)"); return }
        #expect(lacking.updates.isEmpty && failure.codingPath == "hero.name" && failure.response.status == 200)
        let explained = #"{"completed":[{"id":"0","errors":[{"message":"asleep"}]}],"hasNext":false}"#
        let failed = await all(graphQL { _ in .parts(Self.first, explained) }.client.updates(operation))
        #expect(failed.updates.map(\.errors) == [[GraphQLResponseError(message: "asleep")]] && failed.updates.first?.data == nil)
    }

    @Test("Errors accumulate, know their operation, and are subject to the error policy")
    func errors() async {
        let last = #"{"completed":[{"id":"0","errors":[{"message":"b"}]}],"hasNext":false}"#
        let all = await updates(.parts(Self.first.replacing("\"data\"", with: #""errors":[{"message":"a"}],"data""#), last))
        #expect(all.updates.map { $0.errors.map(\.message) } == [["a"], ["a", "b"]])
        #expect(all.updates.last?.data?.hero?.id == "1" && all.updates.last?.errors.first?.operationName == "Q")
        #expect(all.updates.last?.errors.first?.response?.status == 200)
        let ignoring = await updates(.parts(Self.first, last), options: .init(errorPolicy: .ignore))
        #expect(ignoring.updates.map(\.result.isComplete) == [true, true])
        let strict = await updates(.parts(Self.first, last), options: .init(errorPolicy: .none))
        #expect(strict.updates.map { $0.data == nil } == [false, true])
    }

    @Test("A response that ends early is an error after the updates it contained")
    func cut() async {
        for reply in [MockReply.parts(Self.first), .parts(Self.first, closes: false)] {
            let (updates, error) = await updates(reply)
            guard case .http(.invalidResponse(let words)) = error else { Issue.record("\(String(describing: error))"); return }
            #expect(updates.count == 1 && words.text.contains("ended") && error?.httpError?.request?.method == .post)
        }
        let broken = await updates(MockReply.parts(Self.first, Self.last).disconnecting(afterBodyBytes: 180))
        #expect(broken.updates.count == 1 && broken.error?.httpError != nil)
    }

    @Test("Parts that are invalid JSON or do not match earlier parts are errors that name the request")
    func malformed() async {
        let noJSON = await updates(.parts(Self.first, "<html>"))
        guard case .http(.decodingFailed(let failure)) = noJSON.error else { Issue.record("\(noJSON)"); return }
        #expect(noJSON.updates.count == 1 && failure.response.body == Data("<html>".utf8) && failure.context.request != nil)
        let unknown = await updates(.parts(Self.first, #"{"completed":[{"id":"7"}],"hasNext":false}"#))
        guard case .http(.invalidResponse) = unknown.error else { Issue.record("\(unknown)"); return }
        let deep = String(repeating: "[", count: 10_000)
        let nested = await updates(.parts(#"{"data":\#(deep)"#))
        guard case .http(.decodingFailed) = nested.error else { Issue.record("\(nested)"); return }
        let nothing = await updates(.parts(#"{"hasNext":false}"#))
        guard case .http(.invalidResponse) = nothing.error else { Issue.record("\(nothing)"); return }
    }

    @Test("Parts that are empty, or only say that more follows, produce no update")
    func heartbeats() async {
        let (updates, error) = await updates(.parts(Self.first, #"{"hasNext":true}"#, "", #"{"hasNext":true}"#, Self.last))
        #expect(updates.count == 2 && error == nil)
    }

    @Test("All parts together are limited to the maximum size of a response")
    func tooLarge() async {
        let heartbeats = Array(repeating: #"{"hasNext":true}"#, count: 20)
        let body = ([Self.first] + heartbeats).map { "\r\n\r\n\($0)\r\n---" }.joined()
        let reply = MockReply.stream("---" + body, headers: [.contentType: "multipart/mixed; boundary=\"-\""])
        let options = GraphQLCallOptions(call: CallOptions(limits: ResponseLimits(bodyBytes: 1000)))
        let (updates, error) = await updates(reply, options: options)
        guard case .http(.responseTooLarge(let failure)) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(updates.count == 1 && failure.subject == .body && failure.limit <= 1000)
        // The client's limit, also of one that wraps another client.
        let http = HTTPClient(transport: MockTransport { _ in reply }, configuration: .init(limits: ResponseLimits(bodyBytes: 1000)))
        let url = URL(string: "https://a.example/graphql")!
        let wrapped = await all(GraphQLClient(Wrapper(client: http), url: url).updates(operation))
        guard case .http(.responseTooLarge)? = wrapped.error else { Issue.record("\(String(describing: wrapped.error))"); return }
    }

    @Test("A part with a declared length is delivered before its boundary arrives")
    func promised() async throws {
        let body = SentBody()
        let reply = MockReply.stream(headers: [.contentType: "multipart/mixed; boundary=\"-\""]) { HTTPBody(reader: body) }
        body.send("---\r\nContent-Length: \(Self.first.utf8.count)\r\n\r\n\(Self.first)")
        var iterator = graphQL { _ in reply }.client.updates(operation).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.data?.hero?.id == "1")
        body.send("\r\n---\r\n\r\n\(Self.last)\r\n-----\r\n")
        let second = try await iterator.next()
        let end = try await iterator.next()
        #expect(second?.data?.hero?.name == "Swift" && end == nil)
    }

    @Test("A declared length that is too small counts only if the part is complete at that length")
    func lyingLength() async {
        let part = "\r\nContent-Length: 9\r\n\r\n"
        let reply = MockReply.stream(
            "---\(part)", String(Self.first.prefix(9)), String(Self.first.dropFirst(9)), "\r\n---\r\n\r\n\(Self.last)\r\n-----",
            headers: [.contentType: "multipart/mixed; boundary=\"-\""])
        let (updates, error) = await updates(reply)
        #expect(updates.count == 2 && error == nil)
    }

    @Test("Leaving the loop releases the connection")
    func leaving() async throws {
        let body = SentBody()
        body.send("---\r\n\r\n\(Self.first)\r\n---")
        let reply = MockReply.stream(headers: [.contentType: "multipart/mixed; boundary=\"-\""]) { HTTPBody(reader: body) }
        for try await update in graphQL({ _ in reply }).client.updates(operation) {
            #expect(update.hasNext && body.reason == nil)
            break
        }
        #expect(body.reason == .cancelled)
    }

    @Test("A task cancelled while waiting for a part throws .cancelled")
    func cancelled() async throws {
        let body = SentBody()
        body.send("---\r\n\r\n\(Self.first)\r\n---")
        let reply = MockReply.stream(headers: [.contentType: "multipart/mixed; boundary=\"-\""]) { HTTPBody(reader: body) }
        let client = graphQL { _ in reply }.client
        let task = Task { [operation] in await all(client.updates(operation)) }
        await body.waitUntilRead()
        task.cancel()
        let (updates, error) = await task.value
        #expect(updates.count == 1 && error == .http(.cancelled) && body.reason != nil)
    }

    @Test("A subscription and an invalid document throw on iteration, and nothing is sent")
    func refused() async {
        let (client, transport) = graphQL { _ in .status(200) }
        let subscription = await all(client.updates(GraphQLOperation<Singer>("subscription { hero { id } }")))
        guard case .invalidOperation = subscription.error else { Issue.record("\(subscription)"); return }
        let broken = await all(client.updates(GraphQLOperation<Singer>("query {")))
        guard case .invalidDocument = broken.error else { Issue.record("\(broken)"); return }
        #expect(transport.requests.isEmpty)
    }

    @Test("A mock's own sequence of updates is returned unchanged")
    func doubles() async {
        let update = GraphQLUpdate(result: GraphQLResult.complete(Singer(hero: nil)), hasNext: true)
        let sequence = GraphQLUpdateSequence([update, update], failure: .http(.timeout))
        for _ in 1...2 {
            let scripted = await all(sequence)
            #expect(scripted.updates == [update, update] && scripted.error == .http(.timeout))
        }
    }
}

/// A client of an app that wraps another one, and returns its configuration.
private struct Wrapper: HTTPClientProtocol {
    let client: HTTPClient
    var configuration: HTTPClient.Configuration { client.configuration }

    @concurrent func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> { try await client.perform(endpoint, options: options, decoding: decoding) }

    @concurrent func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await client.stream(endpoint, options: options)
    }
}
