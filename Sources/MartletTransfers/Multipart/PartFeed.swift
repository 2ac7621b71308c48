internal import MartletEssentials
internal import MartletSystem

/// The only reader of a multipart body. The iterator takes parts from it, and each part takes its content.
final class PartFeed: Sendable {
    private let state: Locked<State>

    private struct State {
        var parser: MultipartParser
        /// The chunks of the body. Nil while a task waits for one, and after the end.
        var source: HTTPBody.AsyncIterator?
        /// The parsed tokens that have not been taken, in reverse order.
        var tokens: [MultipartToken] = []
        /// The result of reading: nil while it continues, and an inner nil after all parts.
        var end: HTTPError??
        /// The number of the current part.
        var part = 0
        /// Whether the body ended within a part or before the first part.
        var isCutOff = false

        mutating func take(for reader: Int?) -> Step {
            if let reader, reader != part { return .failed(.bodyNotReplayable("the part was skipped because the next one was requested")) }
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
                return .failed(.bodyNotReplayable("another task is reading the parts"))
            }
            return .read(source)
        }

        /// Parses the result of reading.
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
                // The bytes after the closing boundary are ignored, so the body is released.
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

    /// Returns the number and the header fields of the next part, or nil after the last. The rest of the previous part is skipped.
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

    /// Whether the next part has arrived completely, so that reading it does not wait.
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

    /// Returns the next bytes of a part, or nil at its end.
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

/// Reads the content of one part. Releasing it does not stop the transfer, because the next part may still be read.
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
