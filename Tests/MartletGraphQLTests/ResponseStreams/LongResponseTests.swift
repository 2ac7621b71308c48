import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Long incremental responses", .timeLimit(.minutes(5)))
struct LongResponseTests {
    private struct Listed: Codable, Sendable { let list: [String] }
    private let operation = GraphQLOperation<Listed>("{ list @stream }")

    private func updates(
        _ reply: MockReply, limit: Int? = nil
    ) async -> (updates: [GraphQLUpdate<Listed>], error: GraphQLError?) {
        var options = GraphQLCallOptions()
        if let limit { options.call.limits = ResponseLimits(bodyBytes: limit) }
        var updates: [GraphQLUpdate<Listed>] = []
        var iterator = graphQL { _ in reply }.client.updates(operation, options: options).makeAsyncIterator()
        do throws(GraphQLError) {
            while let update = try await iterator.next() { updates.append(update) }
            return (updates, nil)
        } catch { return (updates, error) }
    }

    /// A response in one chunk: a list, then one part for each of `count` elements, then `last`.
    private func streamed(_ count: Int, then last: String) -> MockReply {
        let first = #"{"data":{"list":[]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#
        let items = (0..<count).map { _ in
            #"{"incremental":[{"id":"0","items":["\#(String(repeating: "x", count: 1000))"]}],"hasNext":true}"#
        }
        let text = ([first] + items + [last]).map { "---\r\n\r\n\($0)\r\n" }.joined() + "-----\r\n"
        return .stream([Data(text.utf8)], headers: [.contentType: "multipart/mixed; boundary=\"-\""])
    }

    @Test("A list that grows by many parts already received is not decoded for each of them")
    func together() async {
        let few = await updates(streamed(20, then: #"{"completed":[{"id":"0"}],"hasNext":false}"#))
        #expect(few.updates.count == 22 && few.error == nil)
        let many = await updates(streamed(400, then: #"{"completed":[{"id":"0"}],"hasNext":false}"#))
        #expect(many.updates.count < 200 && many.updates.last?.data?.list.count == 400 && many.error == nil)
    }

    @Test("Errors are not copied for each of many parts that have already arrived")
    func errors() async {
        let first = #"{"data":{"list":[]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#
        let error = #"{"incremental":[{"id":"0","items":[],"errors":[{"message":"m"}]}],"hasNext":true}"#
        let parts = [first] + Array(repeating: error, count: 2000) + [#"{"completed":[{"id":"0"}],"hasNext":false}"#]
        let text = parts.map { "---\r\n\r\n\($0)\r\n" }.joined() + "-----\r\n"
        let many = await updates(.stream([Data(text.utf8)], headers: [.contentType: "multipart/mixed; boundary=\"-\""]))
        #expect(many.updates.count < 1000 && many.updates.last?.result.errors.count == 2000 && many.error == nil)
    }

    /// Counts the bytes it decodes.
    private final class CountingDecoder: BodyDecoder {
        let bytes = Locked(0)
        var accept: String { "application/json" }

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            bytes.withLock { $0 += data.count }
            return try JSONDecoder().decode(type, from: data)
        }
    }

    private func client(_ reply: MockReply, _ decoder: CountingDecoder, _ time: ManualTime) -> GraphQLClient {
        let http = HTTPClient(baseURL: URL(string: "https://api.example/"), transport: MockTransport(reply), time: time)
        return GraphQLClient(http, configuration: .init(decoder: decoder))
    }

    /// Returns a part with one more element, up to its boundary.
    private func element(_ number: Int) -> String {
        "\r\n\r\n{\"incremental\":[{\"id\":\"0\",\"items\":[\"\(number) \(String(repeating: "x", count: 100))\"]}],\"hasNext\":true}\r\n---"
    }

    private let beginning =
        "---\r\n\r\n{\"data\":{\"list\":[]},\"pending\":[{\"id\":\"0\",\"path\":[\"list\"]}],\"hasNext\":true}\r\n---"
    private let ending = "\r\n\r\n{\"completed\":[{\"id\":\"0\"}],\"hasNext\":false}\r\n-----"

    @Test("The bytes decoded for a list that grows part by part are proportional to the bytes received")
    func linear() async throws {
        func decoded(_ count: Int) async throws -> (bytes: Int, received: Int) {
            let pieces = ([beginning] + (0..<count).map(element) + [ending]).map { Data($0.utf8) }
            let decoder = CountingDecoder(), type: HTTPFields = [.contentType: "multipart/mixed; boundary=\"-\""]
            var sizes: [Int] = []
            for try await update in client(.stream(pieces, headers: type), decoder, ManualTime()).updates(operation) {
                sizes.append(update.data?.list.count ?? 0)
            }
            // Sizes increase, the last one is complete, and the first hundred parts arrive one by one.
            #expect(sizes.last == count && sizes.dropLast() == sizes.dropLast().sorted()[...] && Array(sizes.prefix(100)) == Array(0..<100))
            return (decoder.bytes.withLock { $0 }, pieces.reduce(0) { $0 + $1.count })
        }
        let few = try await decoded(1000), many = try await decoded(4000)
        #expect(few.bytes < 32 * few.received + 1_000_000)
        #expect(many.bytes < 32 * many.received + 1_000_000)
    }

    @Test("Data that are held back are delivered when no part has arrived for a moment")
    func heldBack() async throws {
        let time = ManualTime(), decoder = CountingDecoder(), body = SentBody()
        body.send(beginning)
        for number in 0..<1000 { body.send(element(number)) }
        let reply = MockReply.stream(headers: [.contentType: "multipart/mixed; boundary=\"-\""]) { HTTPBody(reader: body) }
        let client = client(reply, decoder, time)
        let last = Locked(0)
        let reading = Task {
            for try await update in client.updates(operation) { last.withLock { $0 = update.data?.list.count ?? 0 } }
        }
        while last.withLock({ $0 }) < 1000 {
            await body.waitUntilRead()
            // The idle timeout has a timer; a second timer is set while data are held back.
            if time.timerCount > 1 { time.advance(by: .seconds(1)) }
            await Task.yield()
        }
        body.send(ending)
        try await reading.value
        #expect(last.withLock { $0 } == 1000)
    }

    @Test("Cancelling a task while parts are held back throws .cancelled and ends the transfer")
    func cancelledWhileHeldBack() async throws {
        let time = ManualTime(), body = SentBody()
        body.send(beginning)
        for number in 0..<1000 { body.send(element(number)) }
        let reply = MockReply.stream(headers: [.contentType: "multipart/mixed; boundary=\"-\""]) { HTTPBody(reader: body) }
        let client = client(reply, CountingDecoder(), time)
        let reading = Task { () -> GraphQLError? in
            var iterator = client.updates(operation).makeAsyncIterator()
            do throws(GraphQLError) {
                while try await iterator.next() != nil {}
                return nil
            } catch { return error }
        }
        await body.waitUntilRead()
        reading.cancel()
        #expect(await reading.value == .http(.cancelled) && body.reason != nil)
    }

    @Test("Updates that are held back are delivered before the error of a malformed part")
    func togetherThenBad() async {
        let (updates, error) = await updates(streamed(400, then: "nonsense"))
        #expect(updates.last?.data?.list.count == 400 && updates.last?.hasNext == true)
        guard case .http(.decodingFailed) = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test("A multipart response without a declared boundary uses the customary one")
    func noBoundary() async {
        let text = "---\r\n\r\n{\"data\":{\"list\":[\"a\"]},\"hasNext\":false}\r\n-----\r\n"
        let (updates, error) = await updates(.stream([Data(text.utf8)], headers: [.contentType: "multipart/mixed;deferSpec=20220824"]))
        #expect(updates.map(\.data?.list) == [["a"]] && error == nil)
    }

    @Test("The preamble and the bytes after a part's declared length are limited")
    func endless() async {
        let noise = Array(repeating: Data(repeating: UInt8(ascii: "x"), count: 10_000), count: 1000)
        let type: HTTPFields = [.contentType: "multipart/mixed; boundary=\"-\""]
        let preamble = await updates(.stream(noise, headers: type))
        guard case .http(.responseTooLarge) = preamble.error else { Issue.record("\(preamble)"); return }
        let part = Data("---\r\ncontent-length: 35\r\n\r\n{\"data\":{\"list\":[\"a\"]},\"hasNext\":true}".utf8)
        let blank = Array(repeating: Data(repeating: UInt8(ascii: " "), count: 10_000), count: 1000)
        let long = await updates(.stream([part.dropLast(0)] + noise, headers: type))
        #expect(long.updates.count <= 1 && long.error != nil)
        let padded = await updates(.stream([part] + blank, headers: type), limit: 100_000)
        guard case .http(.responseTooLarge) = padded.error else { Issue.record("\(padded)"); return }
    }

    @Test(
        "A credential rejected in incremental delivery is renewed once, and the operation is sent again", arguments: [true, false])
    func renewed(isMultipart: Bool) async {
        let refusal = #"{"data":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}],"hasNext":false}"#
        let refused: MockReply = isMultipart ? .parts(refusal) : .json(refusal)
        let provider = CountedTokens()
        let transport = MockTransport(replies: [refused, .parts(#"{"data":{"list":["a"]},"hasNext":false}"#), refused, refused])
        let http = HTTPClient(
            baseURL: URL(string: "https://api.example/"), transport: transport, interceptors: [AuthInterceptor(provider)])
        var shown: [[String]?] = [], errors: [[String]] = []
        for _ in 0..<2 {
            var iterator = GraphQLClient(http).updates(operation).makeAsyncIterator()
            while let update = try? await iterator.next() {
                shown.append(update.data?.list)
                errors.append(update.errors.map(\.message))
            }
        }
        #expect(shown == [["a"], nil] && errors == [[], ["who?"]])
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer 0", "Bearer 1", "Bearer 1", "Bearer 2"])
    }

    /// Returns a new token for each renewal.
    private final class CountedTokens: TokenProvider {
        private let count = Locked(0)
        func token() async throws -> AccessToken? { AccessToken("\(count.withLock { $0 })") }
        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            count.withLock { $0 += 1 }
            return try await token()
        }
    }
}
