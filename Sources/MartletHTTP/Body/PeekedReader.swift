internal import MartletEssentials
internal import MartletSystem

/// A reader that returns chunks that were already read, and then those of another reader.
final class PeekedReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    /// The result of reading if it has ended: an error, or nil for the complete body.
    private let end: HTTPError??
    private let state: Locked<(peeked: ArraySlice<Data>, reason: HTTPError?)>

    init(_ peeked: ArraySlice<Data>, _ end: HTTPError??, _ reader: any HTTPBodyReader) {
        self.reader = reader
        self.end = end
        state = Locked((peeked, nil))
    }

    func next() async throws(HTTPError) -> Data? {
        let (chunk, reason) = state.withLock { state in (state.reason == nil ? state.peeked.popFirst() : nil, state.reason) }
        if let chunk { return chunk }
        if let reason { throw reason }
        guard let end else { return try await reader.next() }
        if let end { throw end }
        return nil
    }

    func cancel(_ reason: HTTPError) {
        state.withLock { $0 = ([], $0.reason ?? reason) }
        reader.cancel(reason)
    }
}
