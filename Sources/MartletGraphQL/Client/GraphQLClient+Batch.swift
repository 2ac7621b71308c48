internal import MartletEssentials

extension GraphQLClient {
    /// Sends the operations of a batch in one request and stores the outcome of each.
    ///
    /// The request is a POST with a JSON array. The server must support batching; it runs the operations in order. A batch may contain
    /// mutations and uploads. A response element that cannot be read, or that has only errors, becomes the outcome of its operation and
    /// does not affect the others. If errors say that the credential is rejected, the client renews it and sends the affected operations
    /// once more.
    ///
    /// The client sends the text of each document, or its ID if ``Configuration/persistedQueries`` uses IDs, but never its hash. Queries in
    /// a batch neither read nor fill the document cache. Mutations invalidate cached responses as usual.
    ///
    /// - Throws: Errors that concern the whole batch. `.invalidDocument` and `.invalidOperation` (also for more than
    ///   ``Configuration/maxBatchSize`` operations) are thrown before anything is sent. `.http` means that there is no response, or that it
    ///   does not have one element per operation. `.response` means that the server rejected the batch as a whole.
    @concurrent public func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError) {
        guard !batch.slots.isEmpty else { return }
        let observed = observe(batch.operations, options)
        _ = try await observing(observed, end: { $0.ended($1, batch.slots) }) { () async throws(GraphQLError) in
            try await send(batch.slots, options, observed)
        }
    }

    /// Returns the head of the response to the whole batch.
    private func send(
        _ slots: [any BatchSlot], _ options: GraphQLCallOptions, _ observed: ObservedCall?
    ) async throws(GraphQLError) -> HTTPResponse<Void>? {
        guard slots.count <= configuration.maxBatchSize else {
            throw .invalidOperation("the batch has \(slots.count) operations, and the limit maxBatchSize is \(configuration.maxBatchSize)")
        }
        if options.sendsQueriesByGET == true { throw .invalidOperation("a batch cannot be sent by GET") }
        let calls = try slots.map { slot throws(GraphQLError) in
            var call = try OperationCall(slot.operation, options, configuration)
            call.observed = observed
            return call
        }
        return try await asOneCall { () async throws(GraphQLError) in try await exchange(calls, into: slots, options) }
    }

    private func exchange(
        _ calls: [OperationCall], into slots: [any BatchSlot], _ options: GraphQLCallOptions
    ) async throws(GraphQLError) -> HTTPResponse<Void> {
        let answer = try await exchange(calls, options, within: options.timeout)
        do throws(GraphQLError) {
            try BatchResponse.read(answer, into: slots, decoder: decoder)
        } catch {
            let isRefused = try await isToBeSentAgain(BatchRefusal.whole(error.errors, calls), answer.metadata)
            guard isRefused else { throw error }
            let left = try answer.metadata.timeLeft(of: options.timeout, time: client.time)
            let second = try await exchange(calls, options, within: left)
            try BatchResponse.read(second, into: slots, decoder: decoder)
            return second.map { _ in }
        }
        await sendRefusedAgain(Array(zip(slots, calls)), options, answer.metadata)
        return answer.map { _ in }
    }

    /// Resends the operations whose errors say that the credential is rejected. A failure becomes the outcome of its operation.
    private func sendRefusedAgain(
        _ batch: [(slot: any BatchSlot, call: OperationCall)], _ options: GraphQLCallOptions, _ metadata: ResponseMetadata
    ) async {
        var refused: [(slot: any BatchSlot, call: OperationCall)] = []
        for item in batch {
            let refusal = item.call.refusal(item.slot.errors, hasData: item.slot.hasData)
            do throws(GraphQLError) {
                // All operations share one renewal.
                if try await isToBeSentAgain(refusal, metadata) { refused.append(item) }
            } catch { item.slot.fail(error) }
        }
        guard !refused.isEmpty else { return }
        do throws(GraphQLError) {
            let left = try metadata.timeLeft(of: options.timeout, time: client.time)
            let answer = try await exchange(refused.map(\.call), options, within: left)
            try BatchResponse.read(answer, into: refused.map(\.slot), decoder: decoder)
        } catch {
            for item in refused { item.slot.fail(error) }
        }
    }

    private func exchange(
        _ calls: [OperationCall], _ options: GraphQLCallOptions, within timeout: Duration?
    ) async throws(GraphQLError) -> HTTPResponse<Data> {
        let payloads = calls.map { OperationPayload($0.operation, $0.form, extensions: options.extensions) }
        let encoded = try EncodedPayload(of: payloads, inputs: payloads.map(\.variables), configuration.encoder)
        var endpoint = endpoint(calls.map(\.operation), options, calls.first?.observed)
        endpoint.timeout = timeout
        endpoint.post(encoded)
        var answer: HTTPResponse<Data>?
        // Invalidates after a failure too, because the server may have run some of the operations.
        defer { forgetWhatChanged(calls, options, answer) }
        let response = try await perform(endpoint, uploading: encoded.uploads.isEmpty ? nil : options.uploadProgress)
        answer = response
        return response
    }
}

private enum BatchRefusal {
    static func whole(_ errors: [GraphQLResponseError], _ calls: [OperationCall]) -> AuthRenewal.Refusal {
        AuthRenewal.Refusal(
            errors: errors, hasData: false, kind: calls.contains { $0.definition.kind == .mutation } ? .mutation : .query,
            hasOneRootField: false, isReplayable: calls.allSatisfy { UploadForm.isReplayable($0.payload) })
    }
}
