@testable import MartletRedis

/// Checks the parser of Redis replies.
enum RedisChecks {
    /// Checks that the parsed replies do not depend on how the bytes are split, and stay within the limits.
    static func resp(_ bytes: [UInt8]) {
        var limits = RESPParser.Limits()
        (limits.bytes, limits.elements, limits.depth, limits.lineBytes) = (1024, 64, 4, 128)
        let whole = read(bytes, by: max(1, bytes.count), limits)
        for size in [1, 7] { promise(read(bytes, by: size, limits) == whole, "chunks of \(size) bytes parse differently from the whole") }
        for value in whole.values { promise(isWithin(value, depth: limits.depth), "a reply exceeds the limits") }
    }

    private struct Reading: Equatable {
        var values: [RESPValue] = []
        var error: RESPError?
    }

    private static func read(_ bytes: [UInt8], by size: Int, _ limits: RESPParser.Limits) -> Reading {
        var parser = RESPParser(limits: limits), reading = Reading()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            piece.withUnsafeBytes { piece in
                do throws(RESPError) { reading.values += try parser.feed(piece) } catch { reading.error = error }
            }
            if reading.error != nil {
                // Which replies were complete before the error depends on the pieces.
                reading.values = []
                break
            }
        }
        return reading
    }

    private static func isWithin(_ value: RESPValue, depth: Int) -> Bool {
        switch value {
        case .bytes(let bytes): bytes.count <= 1024
        case .text(let text), .error(let text): text.utf8.count <= 3 * 128
        case .array(let values): (depth > 0 || values.isEmpty) && values.count <= 64 && values.allSatisfy { isWithin($0, depth: depth - 1) }
        case .integer, .null: true
        }
    }
}
