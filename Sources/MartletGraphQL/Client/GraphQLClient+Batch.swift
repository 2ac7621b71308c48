internal import MartletEssentials

extension GraphQLClient {
    /// Sends the operations of a batch in one request, and fills the places of their outcomes.
    ///
    /// It is a POST of a JSON array, which servers must be told to take; they run it in order. Mutations and uploads may be among them. An
    /// answer that can't be read, or is errors alone, is the outcome of its operation and spoils no other. When errors say that the
    /// credential is refused, it is renewed, and those operations are sent again, once.
    ///
    /// Throws what concerns all of them: `.invalidDocument` and `.invalidOperation` before anything is sent, also for more operations than
    /// ``Configuration/maxBatchSize``; `.http` when there is no answer, or none with an element for each; `.response` when the server refused
    /// the batch as a whole. Documents are sent by text, or by id when the client has them; hashes are not tried. Queries of a batch are
    /// neither answered from the document cache nor kept there; its mutations forget what they touch.
    @concurrent public func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError) {
        try await send(batch.slots, options)
    }

    /// Sends the operations of slots and fills these.
    private func send(_ slots: [any BatchSlot], _ options: GraphQLCallOptions) async throws(GraphQLError) {
        guard !slots.isEmpty else { return }
        guard slots.count <= configuration.maxBatchSize else {
            throw .invalidOperation("a batch of \(slots.count) operations, and the client allows \(configuration.maxBatchSize)")
        }
        if options.queryMethod == .get { throw .invalidOperation("a batch can't be sent by GET") }
        let calls = try slots.map { slot throws(GraphQLError) in
            var options = options
            options.queryMethod = nil
            return try OperationCall(slot.operation, options, configuration)
        }
        try await asOneCall { () async throws(GraphQLError) in try await exchange(calls, into: slots, options) }
    }

    private func exchange(
        _ calls: [OperationCall], into slots: [any BatchSlot], _ options: GraphQLCallOptions
    ) async throws(GraphQLError) {
        let answer = try await exchange(calls, options, within: options.timeout)
        do throws(GraphQLError) {
            try BatchResponse.read(answer, into: slots, decoder: decoder)
        } catch {
            let isRefused = try await isToBeSentAgain(BatchRefusal.whole(error.errors, calls), answer.metadata)
            guard isRefused else { throw error }
            let left = try answer.metadata.timeLeft(of: options.timeout, time: client.time)
            try BatchResponse.read(try await exchange(calls, options, within: left), into: slots, decoder: decoder)
            return
        }
        await sendRefusedAgain(Array(zip(slots, calls)), options, answer.metadata)
    }

    /// Sends those again whose errors say that the credential is refused. What they fail with is their own outcome.
    private func sendRefusedAgain(
        _ batch: [(slot: any BatchSlot, call: OperationCall)], _ options: GraphQLCallOptions, _ metadata: ResponseMetadata
    ) async {
        var refused: [(slot: any BatchSlot, call: OperationCall)] = []
        for item in batch {
            let refusal = item.call.refusal(item.slot.errors, hasData: item.slot.hasData)
            do throws(GraphQLError) {
                // All ask for the same renewal, which is made once.
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
        var endpoint = endpoint(calls.map(\.operation), options)
        endpoint.timeout = timeout
        endpoint.post(encoded)
        var answer: HTTPResponse<Data>?
        // Also when it fails: it may have done its work, or some of it.
        defer { forgetWhatChanged(calls, options, answer) }
        let response = try await perform(endpoint, uploading: encoded.uploads.isEmpty ? nil : options.uploadProgress)
        answer = response
        return response
    }
}

/// A batch that was refused as a whole.
private enum BatchRefusal {
    static func whole(_ errors: [GraphQLResponseError], _ calls: [OperationCall]) -> AuthRenewal.Refusal {
        AuthRenewal.Refusal(
            errors: errors, hasData: false, kind: calls.contains { $0.definition.kind == .mutation } ? .mutation : .query,
            hasOneRootField: false, isReplayable: calls.allSatisfy { UploadForm.isReplayable($0.payload) })
    }
}
