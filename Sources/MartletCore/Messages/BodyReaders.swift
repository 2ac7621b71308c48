#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Bytes in memory, in pieces.
package final class DataReader: HTTPBodyReader {
    private let state: Locked<(rest: Data, reason: HTTPError?)>

    package init(_ data: Data) { state = Locked((data, nil)) }

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

/// The bytes of a file.
package final class FileBodyReader: HTTPBodyReader {
    private let file: FileReader
    private let reason = Locked<HTTPError?>(nil)

    package init(_ file: FileReader) { self.file = file }

    package func next() async throws(HTTPError) -> Data? {
        if let reason = reason.withLock({ $0 }) { throw reason }
        return try file.read(upTo: FileReader.chunkSize)
    }

    package func cancel(_ reason: HTTPError) { self.reason.withLock { $0 = $0 ?? reason } }
}

extension HTTPBody {
    /// What reads the body from its first byte on. A stream is taken by it, and gives nothing to others any more.
    package func reader() throws(HTTPError) -> any HTTPBodyReader {
        switch storage {
        case .data(let data): DataReader(data)
        case .file(let file): FileBodyReader(try file.open())
        case .source(let source): try source.make()
        case .stream(let stream): stream.releaseReader()
        }
    }
}
