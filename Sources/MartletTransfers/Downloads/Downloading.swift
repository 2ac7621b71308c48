internal import MartletEssentials

/// One running download. It sends the request, writes the bytes, resumes after a failure, verifies the file and moves it to its place.
struct Downloading: Sendable {
    typealias Ask = @Sendable (_ partial: PartialDownload) async throws(HTTPError) -> HTTPResponse<HTTPBody>

    /// The request for the whole, for errors.
    let request: HTTPRequest
    let files: DownloadFiles
    let options: DownloadOptions
    /// The time limit for opening the file.
    let timeout: Duration?
    let time: any TimeSource
    let random: any RandomSource
    let reporter: ProgressReporter
    /// Sends the request, for the rest or for the whole.
    let ask: Ask

    private var budget: FailureBudget {
        FailureBudget(maxFailures: options.maxFailures, maxWait: options.maxRetryAfter, backoff: options.backoff, random: random)
    }

    private var existingFile: DownloadOptions.ExistingFile { options.existingFile ?? (files.place.knownPath == nil ? .keepBoth : .replace) }

    /// Whether a later call can resume the download. Only a GET may be sent again.
    private var resumesAcrossCalls: Bool { options.resumesAcrossCalls && request.method == .get }

    func run() async throws(HTTPError) -> TransferredFile {
        do throws(HTTPError) {
            if let checksum = options.checksum, checksum.bytes.isEmpty {
                throw HTTPError.invalidRequest(Explanation("the checksum is not a \(checksum.algorithm.rawValue) digest"))
            }
            var state: State
            do throws(HTTPError) { state = try await openInTime() } catch {
                await files.close(keeping: true, time: time)
                throw error
            }
            do throws(HTTPError) {
                return try await finish(try await fetch(&state), state)
            } catch {
                await leave(state, after: error)
                throw error.completed(request: state.answered ?? request, stage: .body)
            }
        } catch { throw error.completed(request: request, stage: .body) }
    }

    /// Opens the part file within the total timeout and the deadline of the task, because its file system may hang.
    private func openInTime() async throws(HTTPError) -> State {
        try await TaskDeadline.bound(time: time) { () async throws(HTTPError) in
            guard let timeout else { return try await open() }
            return try await race(open, until: time.instant + timeout, time: time) {
                ErrorContext(stage: .request, detail: "the file was not opened within \(timeout.shortText)")
            }
        }
    }

    /// Opens the part file. If another download uses it, the call waits briefly, because an abandoned download may take a moment to end.
    private func open() async throws(HTTPError) -> State {
        let key = PartialDownload.key(of: request)
        var tries = 1
        while true {
            do throws(HTTPError) {
                let partial = try await files.open(key: key, resumes: resumesAcrossCalls, existing: existingFile)
                return State(partial: partial, resumedBytes: partial.offset, budget: budget)
            } catch {
                let wait = Duration.milliseconds(100)
                guard case .fileFailed(let failure) = error, failure.kind == .busy, tries < 20,
                    !TaskDeadline.isReached(by: wait, time: time)
                else { throw error }
                tries += 1
                do { try await time.sleep(for: wait) } catch { throw .cancelled }
            }
        }
    }

    /// The state of a running download.
    struct State: Sendable {
        var partial: PartialDownload
        var resumedBytes: Int64 = 0
        var budget: FailureBudget
        /// The number of small parts that were not known to be the last.
        var smallParts = 0
        /// Whether this call has received a response.
        var hasBegun = false
        /// The request that was answered last, which has the trace of the call, or nil before a response.
        var answered: HTTPRequest?
    }

    // MARK: Fetching

    /// A smaller part that is not the last counts as a failure.
    private static let leastPart: Int64 = 64 * 1024

    /// Requests the missing bytes until the file is complete. Returns the head of the last response.
    private func fetch(_ state: inout State) async throws(HTTPError) -> HTTPResponse<Void> {
        while true {
            do throws(HTTPError) {
                let response = try await answer(state.partial)
                let head = response.map { _ in }
                state.answered = head.metadata.request
                switch RangeDecision.decide(state.partial, head) {
                case .complete: return head
                case .startOver:
                    try await startOver(&state)
                    continue
                case .refuse(let why): throw HTTPError.invalidResponse(Explanation(why, context: ErrorContext(stage: .exchange)))
                case .begin: try await begin(&state, response)
                case .proceed(let last, let total):
                    state.partial.proceed(through: last, total: total)
                    state.partial.promise(in: head)
                }
                let start = state.partial.offset
                try await write(response, &state)
                if state.partial.isComplete { return head }
                // A server that sends small parts is not asked for more immediately. A single small part may have been the last.
                if state.partial.offset - start < Downloading.leastPart {
                    state.smallParts += 1
                    if state.partial.total != nil || state.smallParts > 1 { throw Downloading.unlike("ends early, as") }
                }
            } catch { try await wait(after: error, &state) }
        }
    }

    /// Returns the response, including a 416, which is an error for other calls.
    private func answer(_ partial: PartialDownload) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        do { return try await ask(partial) } catch {
            guard case .statusCode(let response) = error, response.status == .rangeNotSatisfiable, partial.isResumable else { throw error }
            return response.map { HTTPBody($0) }
        }
    }

    private func begin(_ state: inout State, _ response: HTTPResponse<HTTPBody>) async throws(HTTPError) {
        if state.partial.offset > 0 || state.resumedBytes > 0 { state.resumedBytes = 0 }
        let head = response.map { _ in }
        state.partial.begin(with: head, length: response.body.length, name: DownloadDestination.name(for: head, of: request))
        try await files.restart(record: resumesAcrossCalls ? state.partial.kept : nil)
    }

    private func startOver(_ state: inout State) async throws(HTTPError) {
        state.partial.forget()
        state.resumedBytes = 0
        try await files.restart()
    }

    private func write(_ response: HTTPResponse<HTTPBody>, _ state: inout State) async throws(HTTPError) {
        let start = state.partial.offset
        state.hasBegun = true
        try checkSize(state.partial.total ?? 0)
        reporter.begin(at: start, of: state.partial.total)
        for try await chunk in response.body {
            try checkSize(state.partial.offset + Int64(chunk.count))
            guard state.partial.hasRoom(for: chunk.count) else { throw Downloading.unlike("has more bytes than") }
            try await files.write(chunk, at: state.partial.offset)
            state.partial.add(chunk.count)
            reporter.add(chunk.count)
        }
        guard state.partial.end() else { throw Downloading.unlike("has fewer bytes than") }
        if !response.isCoded {
            let promised = DigestField(response.headers.values(for: "Content-Digest"))
            try await check(promised, "Content-Digest", start..<state.partial.offset)
        }
    }

    private static func unlike(_ what: String) -> HTTPError {
        .invalidResponse(Explanation("the part \(what) its Content-Range says", context: ErrorContext(stage: .body)))
    }

    private func checkSize(_ bytes: Int64) throws(HTTPError) {
        guard let limit = options.maxBytes, bytes > limit else { return }
        throw .responseTooLarge(SizeLimitFailure(.body, limit: Int(clamping: limit), context: ErrorContext(stage: .body)))
    }

    // MARK: Going on

    /// Waits before the rest is requested, or throws the error if the download ends.
    private func wait(after error: HTTPError, _ state: inout State) async throws(HTTPError) {
        guard request.method == .get, state.hasBegun, let asked = TransientFailure.wait(after: error, now: time.now) else { throw error }
        state.budget.reach(state.partial.offset)
        guard let wait = state.budget.wait(asked: asked), !TaskDeadline.isReached(by: wait, time: time) else { throw error }
        if !state.partial.isResumable { try await startOver(&state) }
        do { try await time.sleep(for: wait) } catch { throw .cancelled }
    }

    // MARK: Finishing

    private func finish(_ head: HTTPResponse<Void>, _ state: State) async throws(HTTPError) -> TransferredFile {
        let whole = 0..<state.partial.offset
        try await check(DigestField([state.partial.promisedDigest ?? ""]), "Repr-Digest", whole)
        if let checksum = options.checksum {
            try await check(checksum.algorithm, checksum.bytes, "the checksum", whole)
        }
        reporter.end()
        let name = state.partial.name ?? DownloadDestination.name(for: head, of: request)
        let path = try await files.finish(named: name, existing: existingFile, syncs: options.syncsToDisk)
        return TransferredFile(
            url: URL(fileURLWithPath: path), bytes: state.partial.offset, response: head, resumedBytes: state.resumedBytes,
            resumptions: state.budget.resumptions)
    }

    private func check(_ promised: DigestField, _ name: String, _ range: Range<Int64>) async throws(HTTPError) {
        // Only the stronger of two digests is checked, because each check reads the whole file.
        guard let algorithm = ContentDigest.Algorithm.allCases.last(where: { promised.digests[$0.rawValue] != nil }),
            let digest = promised.digests[algorithm.rawValue]
        else { return }
        try await check(algorithm, digest, name, range)
    }

    private func check(
        _ algorithm: ContentDigest.Algorithm, _ digest: Data, _ name: String, _ range: Range<Int64>
    ) async throws(HTTPError) {
        guard try await files.digest(algorithm, of: range) != digest else { return }
        throw .integrityFailed(Explanation("the \(range.count) bytes do not match \(name) (\(algorithm.rawValue))"))
    }

    /// Keeps the files that a later call can use, and removes all others.
    private func leave(_ state: State, after error: HTTPError) async {
        var isOfUse = resumesAcrossCalls && state.partial.isResumable
        switch error {
        case .integrityFailed, .responseTooLarge: isOfUse = false
        // Bytes that no response could continue would also stop every later call.
        case .invalidResponse where state.partial.offset == state.resumedBytes: isOfUse = false
        default: break
        }
        await files.close(keeping: isOfUse, time: time)
    }
}
