import Foundation
import Martlet

/// A body of zeros in chunks of 64 KiB.
public final class Zeros: HTTPBodyReader, @unchecked Sendable {
    // Safe without a lock: a body requests one chunk at a time.
    private var left: Int64
    private static let piece = Data(count: 64 * 1024)

    /// Creates a body of `count` zeros.
    public init(count: Int64) { left = count }

    /// Returns the next zeros, or nil at the end.
    public func next() async throws(HTTPError) -> Data? {
        guard left > 0 else { return nil }
        defer { left -= min(left, Int64(Zeros.piece.count)) }
        return left >= Int64(Zeros.piece.count) ? Zeros.piece : Zeros.piece.prefix(Int(left))
    }

    /// Does nothing, because no work is running.
    public func cancel(_ reason: HTTPError) {}
}
