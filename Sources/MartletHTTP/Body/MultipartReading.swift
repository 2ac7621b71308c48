internal import MartletEssentials
internal import MartletSystem

/// Reads the pieces of a multipart body in order and opens each when it is reached.
struct MultipartReading: Sendable {
    /// A piece of the multipart body.
    enum Piece: Sendable {
        case bytes(Data)
        case body(HTTPBody)
    }

    /// The maximum number of bytes of heads and small contents that are combined into one chunk.
    private static let gathered = 16 * 1024

    private var pieces: ArraySlice<Piece>
    private var current: PromisedChunks?

    init(_ pieces: [Piece]) { self.pieces = pieces[...] }

    /// Returns a reader of the whole body. It requests a chunk of a part when the last one has been taken.
    ///
    /// - Parameter isTaken: Set by the first reader that begins. Any other throws `.bodyNotReplayable`. Default: nil, each reader may
    ///   begin.
    func reader(onlyIfFirst isTaken: Locked<Bool>? = nil) -> ClosureBodyReader {
        // Taken out while a chunk is awaited: the reader requests one at a time.
        let place = Locked<MultipartReading?>(self), hasBegun = Locked(isTaken == nil)
        return ClosureBodyReader {
            if !hasBegun.withLock({ exchange(&$0, with: true) }), isTaken?.withLock({ exchange(&$0, with: true) }) == true {
                throw HTTPError.bodyNotReplayable("a part of the body is a stream and has been read already")
            }
            guard var reading = place.withLock({ $0.take() }) else { throw HTTPError.cancelled }
            let chunk = try await reading.next()
            let rest = reading
            place.withLock { $0 = rest }
            return chunk
        }
    }

    private mutating func next() async throws(HTTPError) -> Data? {
        if var chunks = current {
            let chunk = try await chunks.next()
            current = chunk == nil ? nil : chunks
            if let chunk { return chunk }
        }
        var bytes = gather()
        if case .body(let body) = pieces.first, body.buffered == nil || bytes.isEmpty {
            pieces.removeFirst()
            current = PromisedChunks(body.sent())
            if bytes.isEmpty { bytes = try await next() ?? Data() }
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Combines the next pieces that are in memory and small.
    private mutating func gather() -> Data {
        var bytes = Data()
        while bytes.count < MultipartReading.gathered {
            switch pieces.first {
            case .bytes(let piece): bytes.append(piece)
            case .body(let body):
                guard let piece = body.buffered, bytes.count + piece.count <= MultipartReading.gathered else { return bytes }
                bytes.append(piece)
            case nil: return bytes
            }
            pieces.removeFirst()
        }
        return bytes
    }
}
