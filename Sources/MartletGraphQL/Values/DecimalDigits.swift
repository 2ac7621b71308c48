/// A number that is written in decimal, whatever the way: `1.50`, `1.5` and `15e-1` are the same.
struct DecimalDigits: Equatable {
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero.
    private let digits: [UInt8]
    private let exponent: Int

    /// Reads a sign, digits, a fraction and an exponent, each but the digits optional. Nil for anything else.
    init?(_ text: String) {
        var rest = text.utf8[...]
        let sign = rest.first
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
        var written = Array(rest.prefix(while: \.isDigit)), scale = 0
        rest = rest.dropFirst(written.count)
        guard !written.isEmpty else { return nil }
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: \.isDigit)
            guard !fraction.isEmpty else { return nil }
            written += fraction
            scale = -fraction.count
            rest = rest.dropFirst(fraction.count + 1)
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            // Far beyond what any number type has.
            guard let power = Int(String(rest.dropFirst()) ?? ""), power.magnitude < 100_000 else { return nil }
            scale += power
            rest = rest.suffix(0)
        }
        guard rest.isEmpty else { return nil }
        let zero = UInt8(ascii: "0")
        let end = written.lastIndex { $0 != zero }.map { $0 + 1 } ?? 0
        digits = Array(written[..<end].drop { $0 == zero })
        isNegative = sign == UInt8(ascii: "-") && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : scale + written.count - end
    }
}
