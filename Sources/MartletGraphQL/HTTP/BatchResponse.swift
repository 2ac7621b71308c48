internal import MartletEssentials
internal import MartletSystem

/// One operation of a batch, and what comes for it.
protocol BatchSlot: AnyObject, Sendable {
    var operation: AnyGraphQLOperation { get }
    /// The errors that came for it.
    var errors: [GraphQLResponseError] { get }
    /// Whether there are data beside them, of their type or not.
    var hasData: Bool { get }

    /// Reads the next element. What is wrong with it is kept.
    func read(_ container: inout any UnkeyedDecodingContainer) throws
    /// Makes the outcome of what was read.
    func settle(_ response: HTTPResponse<Data>)
    /// Makes an error the outcome.
    func fail(_ error: GraphQLError)
}

/// A slot with the type of its operation's data.
final class TypedBatchSlot<D: Decodable & Sendable>: BatchSlot {
    private struct State {
        var read: Result<GraphQLEnvelope<D>, any Error>?
        var outcome: GraphQLOutcome<D>?
    }

    let typed: GraphQLOperation<D>
    private let state = Locked(State())

    init(_ operation: GraphQLOperation<D>) { typed = operation }

    var operation: AnyGraphQLOperation { typed.erased }

    /// What came for it. There is nothing only before the batch was answered.
    var outcome: GraphQLOutcome<D> {
        state.withLock { $0.outcome } ?? .failure(.http(.invalidResponse("the batch was not answered")))
    }

    var errors: [GraphQLResponseError] { (try? state.withLock { $0.outcome }?.get())?.result.errors ?? [] }

    var hasData: Bool {
        guard let response = try? state.withLock({ $0.outcome })?.get() else { return false }
        return response.result.data != nil || response.hasUnreadData
    }

    func read(_ container: inout any UnkeyedDecodingContainer) throws {
        // In a box that does not throw: a container stays where it is when an element does.
        let read = try container.decode(Attempt<GraphQLEnvelope<D>>.self).result
        state.withLock { $0.read = read }
    }

    func settle(_ response: HTTPResponse<Data>) {
        guard let read = state.withLock({ $0.read }) else { return }
        let outcome = GraphQLOutcome<D> { () throws(GraphQLError) in
            switch read {
            case .success(let envelope): return try GraphQLResponseReader.response(envelope, response, operation.operationName)
            case .failure(let error): throw .http(GraphQLResponseReader.failure(error, D.self, response))
            }
        }
        state.withLock { $0 = State(outcome: outcome) }
    }

    func fill(_ response: GraphQLResponse<D>) { state.withLock { $0 = State(outcome: .success(response)) } }

    func fail(_ error: GraphQLError) { state.withLock { $0 = State(outcome: .failure(error)) } }
}

/// A value, or why it could not be read.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) throws { result = Result { try Value(from: decoder) } }
}

/// Reads the answer to a batch: an array with an element for each operation, in their order.
struct BatchResponse: Decodable {
    /// The slots that the decoding under way is to fill: a decoder is asked for a type, and takes nothing along.
    @TaskLocal private static var slots: [any BatchSlot] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let slots = BatchResponse.slots
        for slot in slots {
            guard !container.isAtEnd else { break }
            try slot.read(&container)
        }
        guard container.currentIndex == slots.count, container.isAtEnd else {
            let count = container.count.map { "\($0)" } ?? (container.isAtEnd ? "\(container.currentIndex)" : "more")
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the answer to a batch of \(slots.count) operations has \(count) elements")
        }
    }

    /// Fills the slots. Throws what concerns all of them: `.http`, and `.response` when the server answered the batch as a whole.
    static func read(_ response: HTTPResponse<Data>, into filling: [any BatchSlot], decoder: any BodyDecoder) throws(GraphQLError) {
        try GraphQLResponseReader.checkIsJSON(response, BatchResponse.self)
        guard isArray(response.body) else { throw refusal(response, decoder) }
        do {
            _ = try $slots.withValue(filling) { try decoder.decode(BatchResponse.self, from: response.body) }
        } catch {
            throw .http(
                GraphQLResponseReader.isSuccess(response)
                    ? GraphQLResponseReader.failure(error, BatchResponse.self, response) : .statusCode(response))
        }
        for slot in filling { slot.settle(response) }
        guard GraphQLResponseReader.isAnswer(response, hasErrors: filling.contains { !$0.errors.isEmpty }) else {
            throw .http(.statusCode(response))
        }
    }

    /// What an answer that is no array means.
    private static func refusal(_ response: HTTPResponse<Data>, _ decoder: any BodyDecoder) -> GraphQLError {
        do throws(GraphQLError) {
            let whole = try GraphQLResponseReader.read(response, as: IgnoredData.self, operationName: nil, decoder: decoder)
            guard whole.result.errors.isEmpty else { return .response(whole.result.errors) }
            return .http(GraphQLResponseReader.illFormed(response, BatchResponse.self, "the answer to a batch is not an array"))
        } catch { return error }
    }

    private static func isArray(_ json: Data) -> Bool {
        // After a byte order mark and white space.
        json.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    }
}
