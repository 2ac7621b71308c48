/// Finds the end of a JSON number and validates it (RFC 8259 §6).
enum JSONNumberScan {
    /// Scans a number from its first byte.
    ///
    /// - Returns: The offset after the number, and whether it has neither a fraction nor an exponent.
    @inline(__always)
    static func scan(
        _ bytes: UnsafePointer<UInt8>, from start: Int, end: Int
    ) throws(JSONFailure) -> (end: Int, isInteger: Bool) {
        var place = start
        if bytes[place] == UInt8(ascii: "-") { place &+= 1 }
        if place < end, bytes[place] == UInt8(ascii: "0") {
            place &+= 1
        } else {
            place = try digits(bytes, from: place, end: end)
        }
        guard place < end, bytes[place] == UInt8(ascii: ".") || bytes[place] | 0x20 == UInt8(ascii: "e") else { return (place, true) }
        return (try rest(bytes, from: place, end: end), false)
    }

    /// Scans a fraction and an exponent, at least one of which follows.
    @inline(never)
    private static func rest(_ bytes: UnsafePointer<UInt8>, from start: Int, end: Int) throws(JSONFailure) -> Int {
        var place = start
        if bytes[place] == UInt8(ascii: ".") { place = try digits(bytes, from: place &+ 1, end: end) }
        if place < end, bytes[place] | 0x20 == UInt8(ascii: "e") {
            place &+= 1
            if place < end, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") { place &+= 1 }
            place = try digits(bytes, from: place, end: end)
        }
        return place
    }

    @inline(__always)
    private static func digits(_ bytes: UnsafePointer<UInt8>, from start: Int, end: Int) throws(JSONFailure) -> Int {
        var place = start
        while place < end, bytes[place] &- UInt8(ascii: "0") < 10 { place &+= 1 }
        guard place > start else { throw JSONFailure(cause: place < end ? .digit : .truncated, offset: place) }
        return place
    }
}
