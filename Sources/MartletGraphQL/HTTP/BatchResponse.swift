internal import MartletEssentials
internal import MartletSystem

/// One operation of a batch and its outcome.
protocol BatchSlot: AnyObject, Sendable {
    var operation: AnyGraphQLOperation { get }
    var errors: [GraphQLResponseError] { get }
    /// Whether the response has data, decodable or not.
    var hasData: Bool { get }
    /// The error that the operation has in place of data, or nil.
    var failure: GraphQLError? { get }

    /// Decodes the next element of the response. A decoding error becomes part of the outcome.
    func read(_ container: inout any UnkeyedDecodingContainer) throws
    /// Turns the decoded element into the outcome.
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

    /// The outcome of the operation. A failure until the batch has a response.
    var outcome: GraphQLOutcome<D> {
        state.withLock { $0.outcome } ?? .failure(.http(.invalidResponse("the batch has no response for this operation")))
    }

    var errors: [GraphQLResponseError] { (try? state.withLock { $0.outcome }?.get())?.result.errors ?? [] }

    var hasData: Bool {
        guard let response = try? state.withLock({ $0.outcome })?.get() else { return false }
        return response.result.data != nil || response.hasUnreadData
    }

    var failure: GraphQLError? {
        switch state.withLock({ $0.outcome }) {
        case .success(let response): if case .failed(let errors) = response.result { .response(errors) } else { nil }
        case .failure(let error): error
        case nil: nil
        }
    }

    func read(_ container: inout any UnkeyedDecodingContainer) throws {
        // `Attempt` never throws: after an error, a container would not advance to the next element.
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

/// A decoded value, or the error that decoding it threw.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) throws { result = Result { try Value(from: decoder) } }
}

/// Decodes the response to a batch: an array with one element per operation, in order.
struct BatchResponse: Decodable {
    /// The slots to fill during decoding. A decoder accepts no arguments besides the type.
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
                in: container, debugDescription: "the response to a batch of \(slots.count) operations has \(count) elements")
        }
    }

    /// Fills the slots. Throws errors that concern the whole batch: `.http`, or `.response` if the server rejected it as a whole.
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

    /// Returns the error for a response that is not an array.
    private static func refusal(_ response: HTTPResponse<Data>, _ decoder: any BodyDecoder) -> GraphQLError {
        do throws(GraphQLError) {
            let whole = try GraphQLResponseReader.read(response, as: IgnoredData.self, operationName: nil, decoder: decoder)
            guard whole.result.errors.isEmpty else { return .response(whole.result.errors) }
            return .http(GraphQLResponseReader.illFormed(response, BatchResponse.self, "the response to a batch is not an array"))
        } catch { return error }
    }

    private static func isArray(_ json: Data) -> Bool {
        // Skips a byte order mark and white space.
        json.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    }
}
