public import MartletGraphQL
internal import MartletSystem

extension GraphQLClientMock {
    /// Returns a sequence of all of the stub's responses in order, or of ``result`` if no stub matches.
    public func subscribe<Value>(_ operation: GraphQLOperation<Value>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<
        Value, GraphQLError
    > {
        let policy = options.errorPolicy.of(client: errorPolicy)
        return GraphQLSubscriptionSequence { [self] in
            let next = signals(of: operation, options, for: [.subscription])
            return { () async throws(GraphQLError) in
                switch try await next() {
                case .connecting: .connecting(number: 1)
                case .open: .open(nil)
                case .response(let response, _): .result(response.result.applying(policy))
                case nil: nil
                }
            }
        }
    }

    /// Returns a sequence of all of the stub's responses in order, or of ``result`` if no stub matches, each as an update. `hasNext` is
    /// false for the last one.
    public func updates<Value>(
        _ operation: GraphQLOperation<Value>, options: GraphQLCallOptions
    ) -> GraphQLUpdateSequence<Value, GraphQLError> {
        let policy = options.errorPolicy.of(client: errorPolicy)
        return GraphQLUpdateSequence { [self] in
            let next = signals(of: operation, options, for: [.query, .mutation])
            return { () async throws(GraphQLError) in
                while let signal = try await next() {
                    guard case .response(let response, let isLast) = signal else { continue }
                    return GraphQLUpdate(result: response.result.applying(policy), hasNext: !isLast, extensions: response.extensions)
                }
                return nil
            }
        }
    }

    /// Returns a function that returns the stub's next response for an operation, and nil after the last one or an error.
    private func signals<Value>(
        of operation: GraphQLOperation<Value>, _ options: GraphQLCallOptions, for kinds: Set<GraphQLOperationKind>
    ) -> @Sendable () async throws(GraphQLError) -> StubbedSignal<Value>? {
        let feed = Locked(StubbedFeed()), call = LongLivedCall(calls)
        return { [self] () async throws(GraphQLError) in
            do throws(GraphQLError) {
                switch feed.withLock({ $0.step() }) {
                case .connecting:
                    try check(operation.erased, for: kinds)
                    try check(call)
                    return .connecting
                case .open:
                    try await wait(.zero)
                    let found = try answers(to: operation.erased, options) { $0.all() }
                    feed.withLock { $0.begin(found) }
                    return .open
                case .answer(let delay, let answer, let isLast):
                    try check(call)
                    let response = try await call.run { () async throws(GraphQLError) in
                        // As in the client, the deadline of the task ends with the head.
                        if delay > .zero { do { try await self.time.sleep(for: delay) } catch { throw .http(.cancelled) } }
                        if Task.isCancelled { throw .http(.cancelled) }
                        return try self.response(await answer(operation.erased), to: operation)
                    }.get()
                    return .response(response, isLast: isLast)
                case .complete:
                    call.end()
                    return nil
                }
            } catch {
                feed.withLock { $0.begin([]) }
                call.end()
                throw error
            }
        }
    }
}

/// A step of a stubbed sequence.
private enum StubbedSignal<Value: Sendable>: Sendable {
    case connecting
    case open
    case response(GraphQLResponse<Value>, isLast: Bool)
}

/// The responses that a mock's sequence has not returned yet.
private struct StubbedFeed: Sendable {
    enum Step: Sendable {
        case connecting
        case open
        case answer(Duration, GraphQLClientMock.Stub.Script.Handler, isLast: Bool)
        case complete
    }

    private enum Position: Sendable {
        case start
        case connecting
        case answers(ArraySlice<GraphQLClientMock.StubbedReply>)
    }

    private var position = Position.start

    mutating func begin(_ answers: [GraphQLClientMock.StubbedReply]) { position = .answers(answers[...]) }

    /// Returns the next step. A connection that could not be opened is not opened again.
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
