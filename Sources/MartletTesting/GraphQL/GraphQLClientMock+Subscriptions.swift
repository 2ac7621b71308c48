internal import Martlet
public import MartletGraphQL

extension GraphQLClientMock {
    /// Gives all answers of the stub, one after the other, or ``result``, and is then complete.
    public func subscribe<Value>(_ operation: GraphQLOperation<Value>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<Value> {
        let policy = options.errorPolicy ?? errorPolicy ?? .all
        return GraphQLSubscriptionSequence {
            let feed = Locked(StubbedFeed.Position.start)
            return { [self] () async throws(GraphQLError) in
                switch feed.withLock({ $0.step() }) {
                case .connecting: return .connecting(number: 1)
                case .open:
                    try operation.erased.check(for: [.subscription])
                    let found = try answers(to: operation.erased) { $0.script.all() }
                    feed.withLock { $0 = .answers(found[...]) }
                    return .open(nil)
                case .answer(let delay, let answer):
                    try await wait(delay)
                    if Task.isCancelled { throw .http(.cancelled) }
                    return .result(try response(await answer(operation.erased), to: operation).result.applying(policy))
                case .complete: return nil
                }
            }
        }
    }
}

/// The answers that a mock's subscription has not given yet.
private enum StubbedFeed {
    enum Step: Sendable {
        case connecting
        case open
        case answer(Duration, OperationStub.Script.Handler)
        case complete
    }

    enum Position: Sendable {
        case start
        case connecting
        case answers(ArraySlice<(delay: Duration, answer: OperationStub.Script.Handler)>)

        /// What comes next. A connection that could not be opened is not opened again.
        mutating func step() -> Step {
            switch self {
            case .start:
                self = .connecting
                return .connecting
            case .connecting:
                self = .answers([])
                return .open
            case .answers(var rest):
                guard let next = rest.popFirst() else { return .complete }
                self = .answers(rest)
                return .answer(next.delay, next.answer)
            }
        }
    }
}
