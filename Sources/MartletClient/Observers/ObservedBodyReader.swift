internal import MartletEssentials

/// Reads a body and tells observers of its pieces.
final class ObservedBodyReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let tell: @Sendable (Data) -> Void

    init(_ reader: any HTTPBodyReader, tell: @escaping @Sendable (Data) -> Void) {
        self.reader = reader
        self.tell = tell
    }

    func next() async throws(HTTPError) -> Data? {
        let piece = try await reader.next()
        if let piece, !piece.isEmpty { tell(piece) }
        return piece
    }

    func skip(_ count: Int64) async throws(HTTPError) -> Int64 { try await reader.skip(count) }

    func cancel(_ reason: HTTPError) { reader.cancel(reason) }
}
