internal import Martlet
public import MartletGraphQL

extension GraphQLClientMock {
    /// Gives all answers of the stub, one after the other, or ``result``, and is then complete.
    public func subscribe<Value>(_ operation: GraphQLOperation<Value>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<Value> {
        let policy = options.errorPolicy.of(client: errorPolicy)
        return GraphQLSubscriptionSequence {
            let feed = Locked(StubbedFeed())
            return { [self] () async throws(GraphQLError) in
                switch feed.withLock({ $0.step() }) {
                case .connecting: return .connecting(number: 1)
                case .open:
                    try begin(feed, operation.erased, options, [.subscription])
                    return .open(nil)
                case .answer(let delay, let answer, _):
                    return .result(try await given(answer, delay, operation).result.applying(policy))
                case .complete: return nil
                }
            }
        }
    }

    /// Gives all answers of the stub, one after the other, or ``result``: each of them an update, the last of which has no next.
    public func updates<Value>(of operation: GraphQLOperation<Value>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Value> {
        let policy = options.errorPolicy.of(client: errorPolicy)
        return GraphQLUpdateSequence {
            let feed = Locked(StubbedFeed())
            return { [self] () async throws(GraphQLError) in
                while true {
                    switch feed.withLock({ $0.step() }) {
                    case .connecting: continue
                    case .open: try begin(feed, operation.erased, options, [.query, .mutation])
                    case .answer(let delay, let answer, let isLast):
                        let response = try await given(answer, delay, operation)
                        return GraphQLUpdate(
                            result: response.result.applying(policy), hasNext: !isLast, extensions: response.extensions)
                    case .complete: return nil
                    }
                }
            }
        }
    }

    private func begin(
        _ feed: Locked<StubbedFeed>, _ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions, _ kinds: Set<GraphQLOperationKind>
    ) throws(GraphQLError) {
        try operation.check(for: kinds)
        let found = try answers(to: operation, options) { $0.script.all() }
        feed.withLock { $0.begin(found) }
    }

    private func given<Value>(
        _ answer: OperationStub.Script.Handler, _ delay: Duration, _ operation: GraphQLOperation<Value>
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        try await wait(delay)
        if Task.isCancelled { throw .http(.cancelled) }
        return try response(await answer(operation.erased), to: operation)
    }
}

/// The answers that a mock's sequence has not given yet.
private struct StubbedFeed: Sendable {
    enum Step: Sendable {
        case connecting
        case open
        case answer(Duration, OperationStub.Script.Handler, isLast: Bool)
        case complete
    }

    private enum Position: Sendable {
        case start
        case connecting
        case answers(ArraySlice<(delay: Duration, answer: OperationStub.Script.Handler)>)
    }

    private var position = Position.start

    mutating func begin(_ answers: [(delay: Duration, answer: OperationStub.Script.Handler)]) { position = .answers(answers[...]) }

    /// What comes next. A connection that could not be opened is not opened again.
    mutating func step() -> Step {
        switch position {
        case .start:
            position = .connecting
            return .connecting
        case .connecting:
            position = .answers([])
            return .open
        case .answers(var rest):
            guard let next = rest.popFirst() else { return .complete }
            position = .answers(rest)
            return .answer(next.delay, next.answer, isLast: rest.isEmpty)
        }
    }
}
