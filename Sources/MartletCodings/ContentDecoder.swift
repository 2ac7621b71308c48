internal import CMartletCodings
package import MartletHTTP

/// Decodes the content codings of one body in pieces, limited by the space in the output and by an allowance of work.
///
/// Codings multiply. Each can expand its input a thousand times, so a few kilobytes can become gigabytes between two codings and nothing in
/// the end. The bytes between codings therefore have their own budget for each body.
package final class ContentDecoder {
    /// A defect of the coded data.
    package enum Fault: Error, Hashable {
        case broken(ContentCoding)
        case outOfMemory(ContentCoding)
        case cutShort(ContentCoding)
        /// The codings below this one expand the body far beyond its size: a decompression bomb.
        case wasteful(ContentCoding)
    }

    /// The number of bytes that may pass between codings for each byte of the body.
    static let intermediateBytesPerByte = 8
    /// The number of additional bytes that may pass between codings. Flushes, empty members and padding carry no content.
    static let intermediateBytes = 4 << 20

    private var stages: [Stage]
    private(set) var hasBegun = false
    /// The number of bytes that may still pass between codings.
    private var allowance = ContentDecoder.intermediateBytes

    /// Creates a decoder. `codings` are in the order in which they were applied.
    package init(_ codings: [ContentCoding]) {
        stages = codings.reversed().enumerated().map { Stage($1, isFirst: $0 == 0) }
    }

    deinit { for stage in stages { stage.close() } }

    /// Fills `output` from `input`, which is advanced, and returns the number of bytes written.
    ///
    /// Received bytes and the bytes that each coding produces are subtracted from `work`. The decoder stops when none is left, and exceeds
    /// it by at most the last piece (64 KiB). If the result is 0 and work is left, more input is needed.
    package func read(
        from input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, work: inout Int
    ) throws(Fault) -> Int {
        if !input.isEmpty { hasBegun = true }
        let count = try read(stages.count - 1, &input, output, &work)
        allowance += count * ContentDecoder.intermediateBytesPerByte
        return count
    }

    /// Signals the end of the input. An empty body is complete with any coding.
    package func finish() throws(Fault) {
        guard hasBegun, let open = stages.first(where: { !$0.isAtEnd }) else { return }
        throw .cutShort(open.coding)
    }

    private func read(
        _ index: Int, _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ work: inout Int
    ) throws(Fault) -> Int {
        var written = 0
        while written < output.count, work > 0 {
            let room = UnsafeMutableRawBufferPointer(rebasing: output[written...])
            if index == 0 {
                let given = input.count
                let made = try stages[0].step(&input, room)
                work -= given - input.count + made
                if made == 0 { break }
                written += made
                continue
            }
            var pending = stages[index].pending
            let made = try stages[index].step(&pending, room)
            stages[index].pending = pending
            written += made
            work -= made
            if made == 0, try !refill(index, &input, &work) { break }
        }
        return written
    }

    /// Makes the coding below produce the next input of a stage. Returns false if it has none at present.
    private func refill(_ index: Int, _ input: inout UnsafeRawBufferPointer, _ work: inout Int) throws(Fault) -> Bool {
        let buffer = stages[index].buffer
        let count = try read(index - 1, &input, buffer, &work)
        allowance -= count
        if allowance < 0 { throw .wasteful(stages[index].coding) }
        stages[index].pending = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        return count > 0
    }

    private struct Stage {
        let coding: ContentCoding
        var isAtEnd = false
        /// Whether other data follows the last member. It is ignored to the end of the body.
        private var ignoresRest = false
        /// The unread output of the stage before, a part of `buffer`.
        var pending = UnsafeRawBufferPointer(start: nil, count: 0)
        let buffer: UnsafeMutableRawBufferPointer
        private var decoder: OpaquePointer?
        /// Whether the last step filled the room it had. There may then be more output without further input.
        private var hasFilled = false

        init(_ coding: ContentCoding, isFirst: Bool) {
            self.coding = coding
            buffer = .allocate(byteCount: isFirst ? 0 : 16 * 1024, alignment: 1)
        }

        func close() {
            if let decoder { cdecode_close(decoder) }
            buffer.deallocate()
        }

        /// Decodes until there is output, or `input` is used up.
        mutating func step(_ input: inout UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
            // zstd reports broken data if it is called repeatedly without input.
            if input.isEmpty, !hasFilled { return 0 }
            let made = try decode(&input, room)
            hasFilled = made == room.count
            return made
        }

        private mutating func decode(_ input: inout UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
            if isAtEnd, try !beginsAgain(&input) { return 0 }
            if decoder == nil {
                guard !input.isEmpty else { return 0 }
                decoder = coding.decoder(for: input)
            }
            guard let decoder else { throw .outOfMemory(coding) }
            var from = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var left = input.count
            var into = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var space = room.count
            while true {
                let before = (left, space)
                let result = cdecode_step(decoder, &from, &left, &into, &space)
                input = UnsafeRawBufferPointer(start: left == 0 ? nil : from, count: left)
                if result == CDECODE_BROKEN { throw .broken(coding) }
                if result == CDECODE_END {
                    isAtEnd = true
                    guard space == room.count, try beginsAgain(&input) else { return room.count - space }
                    continue
                }
                if space < room.count || before == (left, space) { return room.count - space }
            }
        }

        /// Whether a further member follows. Other remaining input is dropped.
        private mutating func beginsAgain(_ input: inout UnsafeRawBufferPointer) throws(Fault) -> Bool {
            guard let next = input.first else { return false }
            guard let decoder, !ignoresRest, coding.continues(with: next), cdecode_next_member(decoder) else {
                ignoresRest = true
                input = UnsafeRawBufferPointer(start: nil, count: 0)
                return false
            }
            isAtEnd = false
            return true
        }
    }
}

extension ContentDecoder {
    /// Creates the decoder of a response's body, and removes the fields that describe the coded body. Returns nil if it has no coding, or
    /// one that can't be decoded: the body is then passed on coded.
    ///
    /// - Throws: `.invalidResponse` for more than `limit` codings.
    package convenience init?(takingCodingsFrom headers: inout HTTPFields, atMost limit: Int) throws(HTTPError) {
        guard let codings = ContentCoding.applied(to: headers) else { return nil }
        guard codings.count <= limit else {
            let words = "the response has \(codings.count) content codings; the transport accepts at most \(limit) (maxContentCodings)"
            throw .invalidResponse(Explanation(words, context: ErrorContext(stage: .body)))
        }
        self.init(codings)
        headers.remove(.contentEncoding)
        headers.remove(.contentLength)
    }
}

extension ContentDecoder.Fault: CustomStringConvertible {
    /// The fault as the error of a response.
    package var error: HTTPError {
        .invalidResponse(Explanation(description, context: ErrorContext(stage: .body, underlying: self)))
    }

    package var description: String {
        switch self {
        case .broken(let coding): "the body's \(coding.rawValue) data is corrupt"
        case .outOfMemory(let coding): "there is not enough memory to decompress the body's \(coding.rawValue) data"
        case .cutShort(let coding): "the body ended before its \(coding.rawValue) data was complete"
        case .wasteful(let coding): "the body expands far beyond its size before its \(coding.rawValue) data is decoded"
        }
    }
}
