internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads an answer that may come in pieces.
struct UpdateLoop<D: Decodable & Sendable>: SequentialReading {
    private enum Phase {
        case unsent
        case reading(JSONParts)
        case finished
    }

    /// Sends the operation, and gives the answer whatever its status.
    private let send: @Sendable () async throws(GraphQLError) -> HTTPResponse<HTTPBody>
    private let decoder: any BodyDecoder
    private let operation: GraphQLOperation<D>
    private let policy: ErrorPolicy
    /// How many bytes the parts may still have.
    private var bytesLeft: Int
    private var phase = Phase.unsent
    private var merger = IncrementalMerger()

    init(
        of operation: GraphQLOperation<D>, decoder: any BodyDecoder, policy: ErrorPolicy, maxBytes: Int,
        send: @escaping @Sendable () async throws(GraphQLError) -> HTTPResponse<HTTPBody>
    ) {
        self.operation = operation
        self.decoder = decoder
        self.policy = policy
        bytesLeft = maxBytes
        self.send = send
    }

    /// The next state of the answer; nil after the last. After an error there is nothing more.
    mutating func next() async throws(GraphQLError) -> GraphQLUpdate<D>? {
        do throws(GraphQLError) {
            while true {
                if Task.isCancelled { throw .http(.cancelled) }
                switch phase {
                case .unsent: if let update = try await begin() { return update }
                case .reading(let parts):
                    // Held by one alone, and let go of when this throws: the connection is closed then.
                    phase = .finished
                    if let update = try await read(parts) { return update }
                case .finished: return nil
                }
            }
        } catch {
            phase = .finished
            throw error
        }
    }

    private mutating func begin() async throws(GraphQLError) -> GraphQLUpdate<D>? {
        let response = try await send()
        if response.status.kind == .successful, JSONParts.are(in: response) {
            phase = .reading(JSONParts(response))
            return nil
        }
        phase = .finished
        let whole: HTTPResponse<Data>
        do throws(HTTPError) {
            let body = try await response.body.collect(upTo: bytesLeft)
            whole = response.map { _ in body }
        } catch { throw .http(error) }
        let answer = try GraphQLAnswer.read(whole, of: operation, decoder: decoder)
        return GraphQLUpdate(result: answer.result.applying(policy), extensions: answer.extensions)
    }

    /// Takes in the next part; nil when it is nothing to be shown.
    private mutating func read(_ reading: JSONParts) async throws(GraphQLError) -> GraphQLUpdate<D>? {
        var parts = reading
        do throws(HTTPError) {
            guard let (tree, cost) = try await parts.next(upTo: bytesLeft) else {
                throw .invalidResponse(Explanation("the answer ended, and more had been announced", context: ErrorContext(stage: .body)))
            }
            bytesLeft -= cost
            let hasChanged = if let tree { try merger.merge(tree) } else { false }
            if merger.hasNext { phase = .reading(parts) }
            return hasChanged ? try update(parts.head) : nil
        } catch { throw .http(parts.head.metadata.request.map { error.completed(request: $0, stage: .body) } ?? error) }
    }

    private func update(_ head: HTTPResponse<Void>) throws(HTTPError) -> GraphQLUpdate<D>? {
        let context = GraphQLErrorContext(operationName: operation.operationName, response: head)
        let errors = merger.errors.map { error in
            var error = error
            error.context = context
            return error
        }
        let result: GraphQLResult<D>
        let json = merger.data?.json
        do {
            let data = try json.map { try decoder.decode(D.self, from: $0) }
            switch data {
            case let data?: result = errors.isEmpty ? .complete(data) : .partial(data, errors)
            case nil where errors.isEmpty: throw IncrementalPayload.malformed("has neither data nor errors")
            case nil: result = .failed(errors)
            }
        } catch {
            // What is missing may be what is still to come.
            if merger.hasNext { return nil }
            if errors.isEmpty {
                throw HTTPError(decoding: error, as: D.self, from: head.map { _ in json ?? Data() })
            }
            result = .failed(errors)
        }
        return GraphQLUpdate(result: result.applying(policy), hasNext: merger.hasNext, extensions: merger.extensions)
    }
}
