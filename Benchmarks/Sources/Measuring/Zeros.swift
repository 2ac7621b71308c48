import Foundation
import Martlet

/// So many zeros, in pieces of 64 KiB.
public final class Zeros: HTTPBodyReader, @unchecked Sendable {
    // Proof: a body asks for one piece at a time.
    private var left: Int64
    private static let piece = Data(count: 64 * 1024)

    /// So many.
    public init(count: Int64) { left = count }

    /// The next zeros.
    public func next() async throws(HTTPError) -> Data? {
        guard left > 0 else { return nil }
        defer { left -= min(left, Int64(Zeros.piece.count)) }
        return left >= Int64(Zeros.piece.count) ? Zeros.piece : Zeros.piece.prefix(Int(left))
    }

    /// Nothing is left to be stopped.
    public func cancel(_ reason: HTTPError) {}
}
