internal import MartletEssentials
internal import MartletSystem

/// The one reader of a multipart body, whom its iterator asks for parts and each part for its content.
final class PartFeed: Sendable {
    private let state: Locked<State>

    private struct State {
        var parser: MultipartParser
        /// Where the bytes come from; nil while somebody waits for some, and when all is read.
        var source: HTTPBody.AsyncIterator?
        /// Found, and not yet taken; the next is the last.
        var tokens: [MultipartToken] = []
        /// How reading ended: nil in it when all parts were read.
        var end: HTTPError??
        /// Which part is being read.
        var part = 0
        /// Whether the body ended within a part or before the first part.
        var isCutOff = false

        mutating func take(for reader: Int?) -> Step {
            if let reader, reader != part { return .failed(.bodyNotReplayable("the part has been skipped: the next one was asked for")) }
            if let token = tokens.popLast() {
                if case .head = token { part += 1 }
                return .token(token)
            }
            switch end {
            case .some(let error?): return .failed(error)
            case .some(nil): return .token(.end)
            case nil: break
            }
            guard let source = source.take() else {
                return .failed(.bodyNotReplayable("the parts are being read by somebody else at this moment"))
            }
            return .read(source)
        }

        /// Takes in what reading gave.
        mutating func add(_ outcome: Result<Data?, HTTPError>, _ source: HTTPBody.AsyncIterator) {
            var found: [MultipartToken] = []
            do throws(HTTPError) {
                if let chunk = try outcome.get() {
                    try parser.feed(chunk, into: &found)
                } else {
                    do throws(HTTPError) { try parser.finish() } catch {
                        isCutOff = error.stage == .body
                        throw error
                    }
                }
                // What follows the closing boundary is of no interest: the body is let go of.
                if found.last == .end { end = .some(nil) } else { self.source = source }
            } catch { end = error }
            tokens = found.reversed()
        }
    }

    private enum Step {
        case token(MultipartToken)
        case read(HTTPBody.AsyncIterator)
        case failed(HTTPError)
    }

    init(_ body: HTTPBody, _ parser: MultipartParser) {
        state = Locked(State(parser: parser, source: body.makeAsyncIterator()))
    }

    /// The next part: its number and its fields, what is left of the one before skipped; nil after the last.
    func nextPart() async throws(HTTPError) -> (number: Int, headers: HTTPFields)? {
        while true {
            switch try await next(for: nil) {
            case .head(let headers): return (state.withLock { $0.part }, headers)
            case .end: return nil
            case .content, .partEnd: continue
            }
        }
    }

    /// Whether the body ended before its closing boundary but was well formed up to there.
    var isCutOff: Bool { state.withLock { $0.isCutOff } }

    /// Whether the next part was received as a whole: nothing is waited for to read it.
    var hasWholePart: Bool {
        state.withLock { state in
            var hasHead = false
            for token in state.tokens.reversed() {
                switch token {
                case .head: hasHead = true
                case .partEnd where hasHead: return true
                default: continue
                }
            }
            return false
        }
    }

    /// The next bytes of a part; nil at its end.
    func nextContent(of part: Int) async throws(HTTPError) -> Data? {
        if case .content(let bytes) = try await next(for: part) { bytes } else { nil }
    }

    private func next(for reader: Int?) async throws(HTTPError) -> MultipartToken {
        while true {
            switch state.withLock({ $0.take(for: reader) }) {
            case .token(let token): return token
            case .failed(let error): throw error
            case .read(var source):
                let outcome: Result<Data?, HTTPError>
                do { outcome = .success(try await source.next()) } catch { outcome = .failure(error) }
                let read = source
                state.withLock { $0.add(outcome, read) }
            }
        }
    }
}

/// Reads the content of one part. Dropping it does not stop the transfer: the next part may still be wanted.
final class PartReader: HTTPBodyReader {
    private let feed: PartFeed
    private let part: Int
    private let reason = Locked<HTTPError?>(nil)

    init(_ feed: PartFeed, part: Int) {
        self.feed = feed
        self.part = part
    }

    func next() async throws(HTTPError) -> Data? {
        if let reason = reason.withLock({ $0 }) { throw reason }
        let bytes = try await feed.nextContent(of: part)
        if let reason = reason.withLock({ $0 }) { throw reason }
        return bytes
    }

    func cancel(_ reason: HTTPError) { self.reason.withLock { $0 = $0 ?? reason } }
}
