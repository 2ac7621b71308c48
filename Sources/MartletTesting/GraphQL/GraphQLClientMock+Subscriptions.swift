public import MartletGraphQL
internal import MartletSystem

extension GraphQLClientMock {
    /// Gives all answers of the stub, one after the other, or ``result``, and is then complete.
    public func subscribe<Value>(_ operation: GraphQLOperation<Value>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<Value> {
        let policy = options.errorPolicy.of(client: errorPolicy)
        return GraphQLSubscriptionSequence { [calls] in
            let feed = Locked(StubbedFeed()), call = LongLivedCall(calls)
            return { [self] () async throws(GraphQLError) in
                switch feed.withLock({ $0.step() }) {
                case .connecting:
                    try feed.ending { () throws(GraphQLError) in
                        try operation.erased.check(for: [.subscription])
                        try check(call)
                    }
                    return .connecting(number: 1)
                case .open:
                    try begin(feed, operation.erased, options)
                    return .open(nil)
                case .answer(let delay, let answer, _):
                    return .result(try await given(answer, delay, operation, feed, call).result.applying(policy))
                case .complete:
                    call.end()
                    return nil
                }
            }
        }
    }

    /// Gives all answers of the stub, one after the other, or ``result``: each of them an update, the last of which has no next.
    public func updates<Value>(of operation: GraphQLOperation<Value>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Value> {
        let policy = options.errorPolicy.of(client: errorPolicy)
        return GraphQLUpdateSequence { [calls] in
            let feed = Locked(StubbedFeed()), call = LongLivedCall(calls)
            return { [self] () async throws(GraphQLError) in
                while true {
                    switch feed.withLock({ $0.step() }) {
                    case .connecting:
                        try feed.ending { () throws(GraphQLError) in
                            try operation.erased.check(for: [.query, .mutation])
                            try check(call)
                        }
                    case .open: try begin(feed, operation.erased, options)
                    case .answer(let delay, let answer, let isLast):
                        let response = try await given(answer, delay, operation, feed, call)
                        return GraphQLUpdate(
                            result: response.result.applying(policy), hasNext: !isLast, extensions: response.extensions)
                    case .complete:
                        call.end()
                        return nil
                    }
                }
            }
        }
    }

    private func begin(
        _ feed: Locked<StubbedFeed>, _ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions
    ) throws(GraphQLError) {
        let found = try answers(to: operation, options) { $0.all() }
        feed.withLock { $0.begin(found) }
    }

    private func given<Value>(
        _ answer: @escaping Stub.Script.Handler, _ delay: Duration, _ operation: GraphQLOperation<Value>,
        _ feed: Locked<StubbedFeed>,
        _ call: LongLivedCall
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        do throws(GraphQLError) {
            try check(call)
            return try await call.run { () async throws(GraphQLError) in
                try await self.wait(delay)
                if Task.isCancelled { throw .http(.cancelled) }
                return try self.response(await answer(operation.erased), to: operation)
            }.get()
        } catch {
            feed.withLock { $0.begin([]) }
            call.end()
            throw error
        }
    }
}

extension Locked where State == StubbedFeed {
    /// Runs what may fail; after an error there is nothing more.
    fileprivate func ending(_ operation: () throws(GraphQLError) -> Void) throws(GraphQLError) {
        do throws(GraphQLError) { try operation() } catch {
            withLock { $0.begin([]) }
            throw error
        }
    }
}

/// The answers that a mock's sequence has not given yet.
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
