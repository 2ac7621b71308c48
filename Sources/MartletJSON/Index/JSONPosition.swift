/// A position in the text of a JSON document.
package struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes before the position.
    package let offset: Int
    /// The line, starting at 1. A line ends with a line feed.
    package let line: Int
    /// The column in Unicode scalars, starting at 1.
    package let column: Int

    /// Creates a position.
    package init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    package static let start = JSONPosition(offset: 0, line: 1, column: 1)

    /// Computes the line and column of a byte. A byte order mark at the start has no column.
    init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        let end = min(max(offset, 0), bytes.count)
        var line = 1, start = JSONIndexer.startsWithMark(bytes) ? min(3, end) : 0
        for place in 0..<end where bytes[place] == UInt8(ascii: "\n") {
            line += 1
            start = place + 1
        }
        var column = 1
        for place in start..<max(start, end) where bytes[place] & 0b1100_0000 != 0b1000_0000 { column += 1 }
        self.init(offset: offset, line: line, column: column)
    }

    /// The line, column and offset: `line 3, column 7 (byte 41)`.
    package var description: String { "line \(line), column \(column) (byte \(offset))" }
}
