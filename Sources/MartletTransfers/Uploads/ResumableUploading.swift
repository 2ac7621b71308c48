internal import MartletEssentials

/// One running resumable upload. It creates the upload, sends the file, and after a failure requests the server's offset and sends the
/// rest.
struct ResumableUploading<Creation: Endpoint>: Sendable {
    let creation: Creation
    let client: any HTTPClientProtocol
    let file: URL
    let options: ResumableUploadOptions
    let reporter: ProgressReporter

    private struct State {
        let length: Int64
        var target: UploadTarget?
        /// The number of bytes that the server has, or nil if it must be requested.
        var offset: Int64?
        var resumedBytes: Int64 = 0
        var budget: FailureBudget
        /// Whether the server's offset has been requested.
        var hasAsked = false

        /// Records the number of bytes that the server has.
        mutating func reach(_ offset: Int64) {
            self.offset = offset
            budget.reach(offset)
        }
    }

    func run() async throws(HTTPError) -> TransferredFile {
        do throws(HTTPError) { return try await upload() } catch {
            throw error.completed(ifKnown: creationRequest, stage: .exchange)
        }
    }

    private var creationRequest: HTTPRequest? {
        try? creation.request(baseURL: client.baseURL, accept: "*/*", encoder: .json, examinesFiles: false)
    }

    private func upload() async throws(HTTPError) -> TransferredFile {
        let length = try await examinedLength()
        guard let metadata = TusProtocol.metadata(options.metadata) else {
            throw .invalidRequest("a name of the upload's metadata is empty, or has a space, a comma or a control character")
        }
        let budget = FailureBudget(
            maxFailures: options.maxFailures, maxWait: options.maxRetryAfter, backoff: options.backoff, random: client.random)
        let target = options.location.map { UploadTarget($0, namedFor: creationRequest) }
        var state = State(length: length, target: target, budget: budget)
        while true {
            var failure: HTTPError?
            do throws(HTTPError) {
                guard let target = state.target else {
                    try await create(metadata, &state)
                    continue
                }
                guard let offset = state.offset else {
                    let head = try await ask(target, &state)
                    if state.offset == state.length { return finish(target.url, head, state) }
                    continue
                }
                let head = try await send(from: offset, to: target, &state)
                if state.offset == state.length { return finish(target.url, head, state) }
                // If the server accepts fewer bytes than were sent, the rest is sent only after a wait.
                if let reached = state.offset, reached < offset + sent(from: offset, state) {
                    let context = ErrorContext(request: head.metadata.request, stage: .exchange)
                    failure = .networkError(NetworkFailure(.other, "the server accepted fewer bytes than were sent", context: context))
                }
            } catch { failure = error }
            if let failure { try await wait(after: failure, &state) }
        }
    }

    /// Returns the length of the file. It is examined on a lane and within the creation's timeout, because its file system may hang.
    private func examinedLength() async throws(HTTPError) -> Int64 {
        let file = file
        let examine = { @Sendable () async throws(HTTPError) in
            try await FileLanes.shared.run { () throws(HTTPError) in try HTTPBody(file: file).length ?? 0 }
        }
        guard let timeout = client.totalTimeout(of: creation, options.call) else { return try await examine() }
        return try await race(examine, until: client.time.instant + timeout, time: client.time) {
            ErrorContext(stage: .request, detail: "the file was not examined within \(timeout.shortText)")
        }
    }

    private func finish(_ location: URL, _ head: HTTPResponse<Void>, _ state: State) -> TransferredFile {
        reporter.end()
        return TransferredFile(
            url: location, bytes: state.length, response: head, resumedBytes: state.resumedBytes,
            resumptions: state.budget.resumptions)
    }

    // MARK: The three requests

    private func create(_ metadata: String, _ state: inout State) async throws(HTTPError) {
        var request = AdjustedEndpoint(creation)
        request.headers["Tus-Resumable"] = TusProtocol.version
        request.headers["Upload-Length"] = "\(state.length)"
        if !metadata.isEmpty { request.headers["Upload-Metadata"] = metadata }
        let response = try await client.perform(request, options: options.call, decoding: .void)
        guard let source = response.metadata.url, let text = response.headers.values(for: .location).first, !text.isEmpty,
            let location = URLReference.resolve(text, against: source)
        else { throw invalid("the response to the creation of the upload has no Location", response) }
        if let problem = RedirectDecision.problem(of: location, from: source) { throw invalid(problem.text, response) }
        let target = UploadTarget(location, namedBy: response, from: source)
        state.target = target
        state.offset = 0
        if target.canBeNamedLater(for: creationRequest) { options.onCreated?(location) }
    }

    private func ask(_ target: UploadTarget, _ state: inout State) async throws(HTTPError) -> HTTPResponse<Void> {
        var request = following(target)
        request.method = .head
        let response = try await client.perform(request, options: followingOptions, decoding: .void)
        guard let offset = TusProtocol.offset(response.headers, length: state.length) else {
            throw invalid("the response has no Upload-Offset within the file", response)
        }
        if let length = response.headers["Upload-Length"], length != "\(state.length)" {
            throw invalid("the upload belongs to a file of another length", response)
        }
        if options.location != nil, !state.hasAsked { state.resumedBytes = offset }
        state.hasAsked = true
        state.reach(offset)
        return response
    }

    /// Returns the number of bytes in the next request.
    private func sent(from offset: Int64, _ state: State) -> Int64 {
        min(options.chunkBytes.map { max(1, $0) } ?? .max, state.length - offset)
    }

    private func send(from offset: Int64, to target: UploadTarget, _ state: inout State) async throws(HTTPError) -> HTTPResponse<Void> {
        // If the response is lost, only the server knows how many of these bytes it has.
        state.offset = nil
        let file = file, total = state.length, count = sent(from: offset, state)
        var request = following(target)
        request.method = .patch
        request.headers["Upload-Offset"] = "\(offset)"
        request.body = .examined(contentType: TusProtocol.contentType) { () throws(HTTPError) in
            let rest = try HTTPBody(file: file, from: offset)
            guard rest.length == total - offset else {
                throw .invalidRequest(Explanation("the file changed while it was uploaded: \(Redaction.line(file.path))"))
            }
            return rest.prefix(count)
        }
        request.options.context.bodyObserver = BodyObserver(
            began: { [reporter] _ in reporter.begin(at: offset, of: total) }, took: { [reporter] in reporter.add($0) })
        let response = try await client.perform(request, options: followingOptions, decoding: .void)
        guard let reached = TusProtocol.offset(response.headers, length: state.length), reached > offset || offset == state.length else {
            throw invalid("the response has no Upload-Offset beyond the one that was sent", response)
        }
        state.reach(reached)
        return response
    }

    /// The call's options without its validation, which is for the creation.
    private var followingOptions: CallOptions {
        var options = options.call
        options.validation = .clientDefault
        return options
    }

    /// Returns a request to the upload, with the header fields of the creating request that may be sent there.
    private func following(_ target: UploadTarget) -> AdjustedEndpoint<Creation> {
        var request = AdjustedEndpoint(creation)
        // The creation's validation, perhaps for a 201, does not apply to the following requests.
        request.validation = .successCodes
        request.url = target.url
        request.query = [:]
        request.body = nil
        request.headers.remove(.contentType)
        request.headers["Tus-Resumable"] = TusProtocol.version
        target.restrict(&request, naming: client.configuration.harmlessFields)
        return request
    }

    private func invalid(_ what: String, _ response: HTTPResponse<Void>) -> HTTPError {
        .invalidResponse(Explanation(what, context: ErrorContext(request: response.metadata.request, stage: .exchange)))
    }

    // MARK: Going on

    private func wait(after error: HTTPError, _ state: inout State) async throws(HTTPError) {
        // Nothing has been created yet. Interceptors may retry this failure.
        guard state.target != nil else { throw error }
        let asked: Duration
        switch TusProtocol.decide(error, now: client.time.now) {
        case .give: throw error
        case .gone:
            // An upload that the caller named is not replaced by a new one.
            guard options.location == nil else { throw error }
            state.target = nil
            asked = .zero
        case .ask(let wait): asked = wait
        }
        state.offset = nil
        guard let wait = state.budget.wait(asked: asked), !TaskDeadline.isReached(by: wait, time: client.time) else { throw error }
        do { try await client.time.sleep(for: wait) } catch { throw .cancelled }
    }
}

extension HTTPBody {
    /// Returns the first bytes of a file.
    fileprivate func prefix(_ count: Int64) -> HTTPBody {
        guard case .file(let file) = storage, count < file.length else { return self }
        return HTTPBody(length: count) { () throws(HTTPError) in FileBodyReader(file, upTo: count) }
    }
}

/// The header fields and decisions of the tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload).
enum TusProtocol {
    static let version = "1.0.0"
    static let contentType = "application/offset+octet-stream"

    /// Returns the value of `Upload-Metadata`: names, and values in Base64. Returns nil if a name can't be written.
    static func metadata(_ values: [String: String]) -> String? {
        var pairs: [String] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }) else { return nil }
            pairs.append(value.isEmpty ? name : "\(name) \(Data(value.utf8).base64EncodedString())")
        }
        return pairs.joined(separator: ",")
    }

    /// Returns the `Upload-Offset` of a response, or nil if it is missing, malformed or beyond the length of the file.
    static func offset(_ headers: HTTPFields, length: Int64) -> Int64? {
        guard let text = headers["Upload-Offset"], text.isDecimal, let offset = Int64(text),
            offset <= length
        else { return nil }
        return offset
    }

    /// The reaction to a failure.
    enum Answer: Sendable, Hashable {
        /// Request the server's offset after this wait.
        case ask(Duration)
        /// The upload no longer exists.
        case gone
        /// The upload fails.
        case give
    }

    /// Decides how to react to a failure.
    static func decide(_ error: HTTPError, now: Date) -> Answer {
        if case .statusCode(let response) = error {
            switch response.status {
            case .notFound, .gone: return .gone
            // Another request was faster or still holds the upload (423), or the bytes arrived damaged (460).
            case .conflict, 423, 460: return .ask(.zero)
            default: break
            }
        }
        return TransientFailure.wait(after: error, now: now).map { .ask($0) } ?? .give
    }
}
