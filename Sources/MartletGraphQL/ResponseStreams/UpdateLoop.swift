internal import MartletEssentials
internal import MartletSystem

/// Reads a response that may arrive in parts.
struct UpdateLoop<D: Decodable & Sendable>: SequentialReading {
    private enum Phase {
        case unsent
        case reading(JSONParts)
        /// The next part is being read, and the data before it have been delivered.
        case awaiting(PendingPart, HTTPResponse<Void>)
        /// All data received has been delivered, and this error ended the response.
        case failed(GraphQLError)
        case finished
    }

    /// Sends the operation, and returns a response of any status.
    private let send: @Sendable () async throws(GraphQLError) -> HTTPResponse<HTTPBody>
    /// Renews the credential that a response rejected. Returns false if no other credential is available.
    private let renew: @Sendable (HTTPResponse<Void>) async throws(GraphQLError) -> Bool
    private let decoder: any BodyDecoder
    private let operation: GraphQLOperation<D>
    private let policy: ErrorPolicy
    /// The number of bytes that further parts may have.
    private var bytesLeft: Int
    private var phase = Phase.unsent
    private var merger = IncrementalMerger()
    /// Whether data has been received that was not delivered yet.
    private var hasUnseen = false
    private var hasRenewed = false
    private var receivedBytes = 0
    /// The work for all updates so far, in bytes: each update decodes all data and copies all errors.
    private var totalWork = 0
    /// The work for the last update, in bytes.
    private var lastWork = 0
    /// The work for one error, compared with that for a byte of data.
    private static var bytesPerError: Int { 64 }
    private let time: any TimeSource
    /// The operation's entry in the call group, until its last update.
    private let call: LongLivedCall

    init(
        of operation: GraphQLOperation<D>, decoder: any BodyDecoder, policy: ErrorPolicy, maxBytes: Int, time: any TimeSource,
        calls: CallGroup?, renew: @escaping @Sendable (HTTPResponse<Void>) async throws(GraphQLError) -> Bool,
        send: @escaping @Sendable () async throws(GraphQLError) -> HTTPResponse<HTTPBody>
    ) {
        self.operation = operation
        self.decoder = decoder
        self.policy = policy
        bytesLeft = maxBytes
        self.time = time
        call = LongLivedCall(calls)
        self.renew = renew
        self.send = send
    }

    /// Returns the next state of the response, or nil after the last one. After an error it returns nil.
    mutating func next() async throws(GraphQLError) -> GraphQLUpdate<D>? {
        do throws(GraphQLError) {
            let update = try await following()
            switch phase {
            case .finished, .failed: call.end()
            case .unsent, .reading, .awaiting: break
            }
            return update
        } catch {
            phase = .finished
            call.end()
            throw error
        }
    }

    private mutating func following() async throws(GraphQLError) -> GraphQLUpdate<D>? {
        while true {
            if Task.isCancelled { throw .http(.cancelled) }
            if case .finished = phase { return nil }
            do throws(HTTPError) { try call.check() } catch { throw .http(error) }
            switch phase {
            case .unsent: if let update = try await begin() { return update }
            case .reading(let parts):
                // The only reference: an error releases it, which closes the connection.
                phase = .finished
                if let update = try await read(parts) { return update }
            case .awaiting(let part, let head):
                phase = .finished
                if let update = try await wait(for: part, head) { return update }
            case .failed(let error): throw error
            case .finished: return nil
            }
        }
    }

    private mutating func begin() async throws(GraphQLError) -> GraphQLUpdate<D>? {
        let response = try await call.run(send).get()
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
        let answer = try GraphQLResponseReader.read(whole, of: operation, decoder: decoder)
        if try await isToBeSentAgain(answer.result.errors, hasData: answer.result.data != nil, answer.http) { return nil }
        return GraphQLUpdate(result: answer.result.applying(policy), extensions: answer.extensions)
    }

    /// Reads the next part. Returns nil if it completes no update.
    private mutating func read(_ reading: JSONParts) async throws(GraphQLError) -> GraphQLUpdate<D>? {
        if hasUnseen, isBehind, !reading.hasWholePart {
            return try await wait(for: PendingPart(reading, upTo: bytesLeft), reading.head)
        }
        var parts = reading
        let part: Result<JSONParts.Part?, HTTPError>
        do throws(HTTPError) { part = .success(try await parts.next(upTo: bytesLeft)) } catch { part = .failure(error) }
        return try await take(part, parts)
    }

    /// Waits for the next part. Delivers the data so far if the part does not arrive within ``pause``.
    private mutating func wait(for part: PendingPart, _ head: HTTPResponse<Void>) async throws(GraphQLError) -> GraphQLUpdate<D>? {
        guard let outcome = await part.outcome(within: hasUnseen ? pause : nil, time: time) else {
            phase = .awaiting(part, head)
            return try shown(head)
        }
        return try await take(outcome.part, outcome.parts)
    }

    /// Merges a part. Returns nil if it completes no update.
    private mutating func take(_ part: Result<JSONParts.Part?, HTTPError>, _ parts: JSONParts) async throws(GraphQLError) -> GraphQLUpdate<
        D
    >? {
        let isFirst = receivedBytes == 0
        do throws(HTTPError) { try merge(try part.get()) } catch {
            let failure = GraphQLError.http(completed(error, parts.head))
            // Data received before the error is delivered first.
            guard hasUnseen, let update = try shown(parts.head) else { throw failure }
            phase = .failed(failure)
            return update
        }
        if isFirst, try await isToBeSentAgain(merger.errors, hasData: merger.data != nil, parts.head) { return nil }
        if merger.hasNext { phase = .reading(parts) }
        return hasUnseen && !(merger.hasNext && isBehind) ? try shown(parts.head) : nil
    }

    private mutating func merge(_ part: JSONParts.Part?) throws(HTTPError) {
        guard let (tree, cost) = part else {
            throw .invalidResponse(Explanation("the response ended before its last part", context: ErrorContext(stage: .body)))
        }
        bytesLeft -= cost
        receivedBytes += cost
        if let tree, try merger.merge(tree) { hasUnseen = true }
    }

    /// Whether the work for updates exceeds its proportion to the bytes received. Parts are then combined, so that the work for all updates
    /// grows with the size of the response and not with its square.
    private var isBehind: Bool { totalWork > 16 * receivedBytes + 1_000_000 }

    /// How long data are held back for the next part. Decoding them takes a small part of that time.
    private var pause: Duration { .milliseconds(100) + .microseconds(lastWork) }

    private func completed(_ error: HTTPError, _ head: HTTPResponse<Void>) -> HTTPError {
        error.completed(ifKnown: head.metadata.request, stage: .body)
    }

    /// Renews the credential if the server's first message rejects it. Returns whether to send the operation again, by the rules for any
    /// response.
    private mutating func isToBeSentAgain(
        _ errors: [GraphQLResponseError], hasData: Bool, _ head: HTTPResponse<Void>
    ) async throws(GraphQLError) -> Bool {
        guard !hasRenewed, errors.contains(where: \.isAuthenticationError) else { return false }
        let definition = try operation.erased.definition(of: [.query, .mutation], for: "a call with incremental delivery")
        let refusal = AuthRenewal.Refusal(
            errors: errors, hasData: hasData, kind: definition.kind, hasOneRootField: definition.hasOneRootField, isReplayable: true)
        hasRenewed = true
        let renew = renew, call = call
        let isRenewed = try await AuthRenewal.isToBeSentAgain(refusal) { () throws(GraphQLError) in
            try await call.run { () async throws(GraphQLError) in try await renew(head) }.get()
        }
        guard isRenewed else { return false }
        (merger, hasUnseen, phase) = (IncrementalMerger(), false, .unsent)
        return true
    }

    /// Returns the data so far as an update, or nil if it does not match the type yet.
    private mutating func shown(_ head: HTTPResponse<Void>) throws(GraphQLError) -> GraphQLUpdate<D>? {
        hasUnseen = false
        do throws(HTTPError) { return try update(head) } catch { throw .http(completed(error, head)) }
    }

    private mutating func update(_ head: HTTPResponse<Void>) throws(HTTPError) -> GraphQLUpdate<D>? {
        let context = GraphQLErrorContext(operationName: operation.operationName, response: head)
        let errors = merger.errors.map { $0.within(context) }
        let result: GraphQLResult<D>
        let json = merger.data?.json
        lastWork = (json?.count ?? 0) + errors.count * UpdateLoop.bytesPerError
        totalWork += lastWork
        do {
            let data = try json.map { try decoder.decode(D.self, from: $0) }
            switch data {
            case let data?: result = errors.isEmpty ? .complete(data) : .partial(data, errors)
            case nil where errors.isEmpty: throw IncrementalPayload.malformed("has neither data nor errors")
            case nil: result = .failed(errors)
            }
        } catch {
            // The missing fields may be part of a later payload.
            if merger.hasNext { return nil }
            if errors.isEmpty {
                throw HTTPError(decoding: error, as: D.self, from: head.map { _ in json ?? Data() })
            }
            result = .failed(errors)
        }
        return GraphQLUpdate(result: result.applying(policy), hasNext: merger.hasNext, extensions: merger.extensions)
    }
}

/// A part that is being read while earlier data may be delivered. Releasing it stops the reading.
final class PendingPart: Sendable {
    /// The result of reading, and the parts that follow.
    struct Outcome: Sendable {
        let parts: JSONParts
        let part: Result<JSONParts.Part?, HTTPError>
    }

    private let task: Task<Outcome, Never>

    /// Starts to read the next part of `parts`.
    init(_ parts: JSONParts, upTo limit: Int) {
        task = Task {
            var parts = parts
            let part: Result<JSONParts.Part?, HTTPError>
            do throws(HTTPError) { part = .success(try await parts.next(upTo: limit)) } catch { part = .failure(error) }
            return Outcome(parts: parts, part: part)
        }
    }

    deinit { task.cancel() }

    /// Returns the outcome, or nil if `wait` passes first. A nil `wait` sets no limit. Cancelling the task cancels the reading.
    func outcome(within wait: Duration?, time: any TimeSource) async -> Outcome? {
        let first = OneShot<Outcome?>()
        Task { [task] in first.set(await task.value) }
        let timer = wait.map { time.timer(at: time.instant + $0) { first.set(nil) } }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await first.value()
        } onCancel: {
            task.cancel()
        }
    }
}
