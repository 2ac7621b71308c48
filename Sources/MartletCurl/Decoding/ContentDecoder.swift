internal import CMartletCurl

/// Undoes the content codings of one body, piece by piece, and never more at a time than there is room for.
final class ContentDecoder {
    /// What is wrong with the coded data.
    enum Fault: Error, Hashable {
        case broken(ContentCoding)
        case outOfMemory(ContentCoding)
        case cutShort(ContentCoding)
    }

    private var stages: [Stage]
    private(set) var hasBegun = false

    /// A decoder for codings in the order in which they were applied.
    init(_ codings: [ContentCoding]) {
        stages = codings.reversed().enumerated().map { Stage($1, isFirst: $0 == 0) }
    }

    deinit { for stage in stages { stage.close() } }

    /// Fills `output` from `input`, which is moved along, and gives how many bytes it wrote. None: it needs more input.
    func read(from input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
        if !input.isEmpty { hasBegun = true }
        return try read(stages.count - 1, &input, output)
    }

    /// Says that there is no more input. A body without a byte is whole, whatever its coding.
    func finish() throws(Fault) {
        guard hasBegun, let open = stages.first(where: { !$0.isAtEnd }) else { return }
        throw .cutShort(open.coding)
    }

    private func read(
        _ index: Int, _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(Fault) -> Int {
        var written = 0
        while written < output.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: output[written...])
            if index == 0 {
                let made = try stages[0].step(&input, room)
                if made == 0 { break }
                written += made
                continue
            }
            var pending = stages[index].pending
            let made = try stages[index].step(&pending, room)
            stages[index].pending = pending
            written += made
            if made == 0 {
                let buffer = stages[index].buffer
                let count = try read(index - 1, &input, buffer)
                if count == 0 { break }
                stages[index].pending = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            }
        }
        return written
    }

    private struct Stage {
        let coding: ContentCoding
        var isAtEnd = false
        /// What the stage before has given and this one has not used yet: a part of `buffer`.
        var pending = UnsafeRawBufferPointer(start: nil, count: 0)
        let buffer: UnsafeMutableRawBufferPointer
        private let isFirst: Bool
        private var decoder: OpaquePointer?
        /// Whether the last step filled all the room it had: there may be more without further input.
        private var hasFilled = false
        /// How much more it may read without writing anything.
        private var patience = Stage.mostPatience

        private static let mostPatience = 1 << 20

        init(_ coding: ContentCoding, isFirst: Bool) {
            self.coding = coding
            self.isFirst = isFirst
            buffer = .allocate(byteCount: isFirst ? 0 : 16 * 1024, alignment: 1)
        }

        func close() {
            if let decoder { cdecode_close(decoder) }
            buffer.deallocate()
        }

        /// Decodes until something comes out, or `input` is used up.
        mutating func step(_ input: inout UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
            // Asked again and again with nothing to read, zstd takes its data for broken.
            if input.isEmpty, !hasFilled { return 0 }
            let given = input.count
            let made = try decode(&input, room)
            hasFilled = made == room.count
            // What another coding made may be a thousand times what was received: members without content, for hours.
            if !isFirst {
                patience = min(Stage.mostPatience, patience - (given - input.count) + made * 64)
                if patience < 0 { throw .broken(coding) }
            }
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

        /// Whether a further member follows; passes over anything else.
        private mutating func beginsAgain(_ input: inout UnsafeRawBufferPointer) throws(Fault) -> Bool {
            guard let next = input.first else { return false }
            guard let decoder, coding.continues(with: next), cdecode_next_member(decoder) else {
                input = UnsafeRawBufferPointer(start: nil, count: 0)
                return false
            }
            isAtEnd = false
            return true
        }
    }
}

extension ContentDecoder.Fault: CustomStringConvertible {
    var description: String {
        switch self {
        case .broken(let coding): "the \(coding.rawValue) data of the body is broken"
        case .outOfMemory(let coding): "no memory to undo the body's \(coding.rawValue)"
        case .cutShort(let coding): "the body ended within its \(coding.rawValue) data"
        }
    }
}
