internal import MartletEssentials
internal import MartletSystem

/// Creates and checks the boundaries between the parts of a multipart body (RFC 2046 §5.1.1).
enum MultipartBoundary {
    /// Returns a boundary of 128 random bits that does not occur in `contents`. It needs no quotes in a header field.
    static func make(_ random: any RandomSource, avoiding contents: [Data]) -> String {
        var count = 0
        while true {
            // The number makes each boundary different, so that a random source that repeats itself does not cause an endless loop.
            let boundary = "martlet-" + hex(random.next()) + hex(random.next()) + (count == 0 ? "" : "-\(count)")
            if !contents.contains(where: { contains(boundary, $0) }) { return boundary }
            count += 1
        }
    }

    /// Returns whether a text is a valid boundary: 1 to 70 of the allowed characters, without a space at the end.
    static func isValid(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != UInt8(ascii: " ") && text.utf8.allSatisfy(isAllowed)
    }

    /// Returns whether a boundary occurs in the content of a part.
    static func contains(_ boundary: String, _ content: Data) -> Bool {
        guard content.count >= boundary.utf8.count else { return false }
        return content.withUnsafeBytes { bytes in Array(boundary.utf8).withUnsafeBytes { contains($0, bytes) } }
    }

    private static func contains(_ wanted: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, let first = wanted.first else { return false }
        var position = 0
        while bytes.count - position >= wanted.count {
            guard let found = memchr(start + position, Int32(first), bytes.count - position - wanted.count + 1) else { return false }
            if UnsafeRawBufferPointer(start: found, count: wanted.count).elementsEqual(wanted) { return true }
            position = UnsafeRawPointer(found) - start + 1
        }
        return false
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { Token.isAlphanumeric(byte) || "'()+_,-./:=? ".utf8.contains(byte) }

    private static func hex(_ number: UInt64) -> String { withUnsafeBytes(of: number.bigEndian) { Hex.text($0) } }
}
