internal import MartletCache
internal import MartletEssentials

/// An entry as the server returns it: head, length, and the body or the location of its pieces.
struct StoredParts {
    private let head: [UInt8]
    private let length: Int64
    private let pieces: String
    private let count: Int
    private let checksum: UInt32
    private let body: [UInt8]

    /// Limits above any store's content that prevent overflows in sums of lengths.
    private static let maxPieces = 1 << 31, maxLength: Int64 = 1 << 60

    /// Returns nil for a reply that no store has written.
    init?(_ reply: RESPValue) {
        guard case .array(let parts) = reply, parts.count == 6 else { return nil }
        let bytes = parts.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
        guard bytes.count == 6, let length = Int64(String(decoding: bytes[1], as: UTF8.self)), length >= 0,
            let count = Int(String(decoding: bytes[3], as: UTF8.self)), count >= 0,
            let checksum = UInt32(String(decoding: bytes[4], as: UTF8.self)), count <= StoredParts.maxPieces,
            length <= StoredParts.maxLength
        else { return nil }
        (head, self.length, pieces) = (bytes[0], length, String(decoding: bytes[2], as: UTF8.self))
        (self.count, self.checksum, body) = (count, checksum, bytes[5])
    }

    /// Returns the entry, or nil if it belongs to another key or is incomplete.
    func entry(for key: CacheKey, _ pool: RedisPool) -> CacheEntry? {
        guard let response = StoredResponse(encoded: Data(head)), response.key == key else { return nil }
        guard count == 0 else {
            let stored = StoredPieces(pool: pool, name: pieces, count: count, length: length)
            return CacheEntry(response: response, body: HTTPBody(length: length, replayable: true) { stored })
        }
        guard Int64(body.count) == length, body.withUnsafeBytes({ CRC32.of($0) }) == checksum else { return nil }
        return CacheEntry(response: response, body: HTTPBody(Data(body)))
    }
}

/// A body stored in pieces. Each piece is a checksum of four bytes and its content.
struct StoredPieces: AsyncSequence, Sendable {
    let pool: RedisPool
    let name: String
    let count: Int
    let length: Int64

    /// The content of a full piece in bytes. Readers accept other sizes too.
    static let size = 256 << 10

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: StoredPieces
        var index = 0
        var missing: Int64

        mutating func next() async throws -> Data? {
            guard index < pieces.count else { return nil }
            let content = try await pieces.content(of: index)
            index += 1
            missing -= Int64(content.count)
            // Checked before the last piece is returned, so that an incomplete body never appears complete.
            guard index == pieces.count ? missing == 0 : missing > 0 else {
                throw CacheStoreError(.corrupt, "the length of the stored body is wrong")
            }
            return content
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self, missing: length) }

    static func piece(_ content: some Collection<UInt8>) -> Data {
        var piece = Data(capacity: content.count + 4)
        let bytes = Data(content)
        let sum = bytes.withUnsafeBytes { CRC32.of($0) }
        for shift: UInt32 in [24, 16, 8, 0] { piece.append(UInt8(truncatingIfNeeded: sum >> shift)) }
        piece.append(bytes)
        return piece
    }

    private func content(of index: Int) async throws -> Data {
        let reply: RESPValue
        do throws(CacheStoreError) {
            reply = try await pool.send(RedisCommand("GET", .text("\(name)\(index)")))
        } catch {
            if error.kind == .cancelled { throw CancellationError() }
            throw error
        }
        guard case .bytes(let piece) = reply else { throw CacheStoreError(.corrupt, "the server has lost a piece of the body") }
        let sum = piece.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        guard piece.count > 4, piece.withUnsafeBytes({ CRC32.of(UnsafeRawBufferPointer(rebasing: $0[4...])) }) == sum else {
            throw CacheStoreError(.corrupt, "a piece of the stored body is damaged")
        }
        return Data(piece[4...])
    }
}
