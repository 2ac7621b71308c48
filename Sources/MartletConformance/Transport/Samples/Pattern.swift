internal import MartletEssentials
internal import MartletSystem

/// Bytes of any number that are known in advance and differ between positions, so that a lost, repeated or moved byte is detected.
enum Pattern {
    /// The period of the pattern, a prime, so that positions counted in powers of two differ.
    private static let period = 65_521

    private static let block: Data = {
        var generator = SeededGenerator(seed: 7)
        let one = Data((0..<period).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        return one + one + one + one + one
    }()

    /// Returns the first `count` bytes.
    static func data(_ count: Int) -> Data {
        var data = Data()
        data.reserveCapacity(count)
        while data.count < count { data.append(chunk(at: data.count, atMost: count - data.count)) }
        return data
    }

    /// Returns the first `count` bytes as a stream, in chunks of up to 256 KiB.
    static func stream(_ count: Int, length: Int64? = nil) -> HTTPBody {
        let offset = Locked(0)
        return HTTPBody(length: length) {
            let start = offset.withLock { $0 }
            guard start < count else { return nil }
            let chunk = chunk(at: start, atMost: min(count - start, 256 * 1024))
            offset.withLock { $0 += chunk.count }
            return chunk
        }
    }

    private static func chunk(at offset: Int, atMost count: Int) -> Data {
        let start = offset % period
        return block[start..<min(block.count, start + count)]
    }

    /// Compares bytes as they arrive.
    struct Check {
        /// The number of bytes so far.
        private(set) var count = 0
        /// The position of the first wrong byte, to within 64 KiB.
        private(set) var firstWrong: Int?

        mutating func add(_ bytes: Data) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let expected = chunk(at: count, atMost: min(rest.count, 64 * 1024))
                if firstWrong == nil, rest.prefix(expected.count) != expected { firstWrong = count }
                count += expected.count
                rest = rest.dropFirst(expected.count)
            }
        }

        /// Returns a description of the difference from the first `expected` bytes, or nil if there is none.
        func fault(of expected: Int) -> String? {
            if let firstWrong { return "\(count) bytes, different from position \(firstWrong) on" }
            return count == expected ? nil : "\(count) bytes"
        }
    }

    /// Returns a description of the difference between `data` and the pattern's first `count` bytes, or nil if there is none.
    static func fault(_ data: Data, of count: Int) -> String? {
        var check = Check()
        check.add(data)
        return check.fault(of: count)
    }
}
