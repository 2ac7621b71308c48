import MartletEssentials
internal import MartletSystem

/// A reader that returns bytes in memory in pieces.
final class DataReader: HTTPBodyReader {
    private let state: Locked<(rest: Data, reason: HTTPError?)>

    init(_ data: Data) { state = Locked((data, nil)) }

    package func next() async throws(HTTPError) -> Data? {
        let (chunk, reason) = state.withLock { state -> (Data?, HTTPError?) in
            guard state.reason == nil, !state.rest.isEmpty else { return (nil, state.reason) }
            defer { state.rest = state.rest.dropFirst(FileReader.chunkSize) }
            return (state.rest.prefix(FileReader.chunkSize), nil)
        }
        if let reason { throw reason }
        return chunk
    }

    package func cancel(_ reason: HTTPError) { state.withLock { $0 = (Data(), $0.reason ?? reason) } }
}
