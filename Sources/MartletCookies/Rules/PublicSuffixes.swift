/// Public suffixes: domains such as `com` and `co.uk`, under which unrelated parties register names (https://publicsuffix.org).
///
/// The rules are read in place from ``PublicSuffixTable``. Nothing is built at start-up, and a lookup allocates no memory.
enum PublicSuffixes {
    /// Returns whether a host in lower case is a public suffix. A trailing dot is ignored.
    static func contains(_ host: String) -> Bool {
        var host = host
        return host.withUTF8 { bytes in
            let name = withoutTrailingDot(bytes)
            return !name.isEmpty && suffix(of: name).count == name.count
        }
    }

    /// Returns the public suffix of a host in lower case with one label more, or nil if the host itself is a public suffix.
    static func registrableDomain(of host: String) -> Substring? {
        var copy = host
        let start: Int? = copy.withUTF8 { bytes in
            let name = withoutTrailingDot(bytes), suffix = suffix(of: name)
            guard suffix.count + 1 < name.count else { return nil }
            return label(before: suffix.startIndex - 1, in: name).startIndex
        }
        return start.map { host[host.utf8.index(host.startIndex, offsetBy: $0)...] }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func withoutTrailingDot(_ bytes: UnsafeBufferPointer<UInt8>) -> Bytes {
        bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes[...]
    }

    /// Returns the label that ends at a position.
    private static func label(before end: Int, in name: Bytes) -> Bytes {
        let start = name[..<end].lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? name.startIndex
        return name[start..<end]
    }

    /// Returns the public suffix of a name by the longest rule. Without a rule, it is the last label.
    private static func suffix(of name: Bytes) -> Bytes {
        guard !name.isEmpty else { return name }
        var parent = name[name.endIndex...]
        var longest = label(before: name.endIndex, in: name)
        for depth in 0..<PublicSuffixTable.depth {
            let end = depth == 0 ? name.endIndex : parent.startIndex - 1
            guard end > name.startIndex else { break }
            let label = label(before: end, in: name), domain = name[label.startIndex...]
            if let rules = rules(below: parent) {
                switch rule(for: label, in: rules) {
                case .exception: return parent
                case .suffix: longest = domain
                case nil: break
                }
            }
            parent = domain
        }
        return longest
    }

    // MARK: The table

    private enum Rule {
        case suffix, exception
    }

    private static var table: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: PublicSuffixTable.lines.utf8Start, count: PublicSuffixTable.lines.utf8CodeUnitCount)
    }

    /// Returns the start of a line: four digits of five bits each.
    private static func offset(ofLine line: Int) -> Int {
        let digits = PublicSuffixTable.offsets.utf8Start + line * 4
        return (0..<4).reduce(0) { $0 << 5 | Int(digits[$1] < 0x61 ? digits[$1] - 0x30 : digits[$1] - 0x57) }
    }

    /// Returns the labels for which there are rules directly below a domain, sorted and separated by spaces.
    private static func rules(below parent: Bytes) -> Bytes? {
        let table = table
        var low = 0, high = PublicSuffixTable.offsets.utf8CodeUnitCount / 4 - 1
        while low < high {
            let middle = (low + high) / 2
            let line = table[offset(ofLine: middle)..<offset(ofLine: middle + 1) - 1]
            let key = line.prefix { $0 != UInt8(ascii: " ") }
            if key.elementsEqual(parent) { return line[(key.endIndex + 1)...] }
            if key.lexicographicallyPrecedes(parent) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Returns the rule for a label. Exceptions (`!city`) and the wildcard (`*`) are the first labels of a line.
    private static func rule(for label: Bytes, in rules: Bytes) -> Rule? {
        var rest = rules
        while rest.first == UInt8(ascii: "!") {
            let word = rest.prefix { $0 != UInt8(ascii: " ") }
            if word.dropFirst().elementsEqual(label) { return .exception }
            rest = rest[min(word.endIndex + 1, rest.endIndex)...]
        }
        if rest.first == UInt8(ascii: "*") { return .suffix }
        var low = rest.startIndex, high = rest.endIndex
        while low < high {
            let middle = (low + high) / 2
            let start = rest[low..<middle].lastIndex(of: UInt8(ascii: " ")).map { $0 + 1 } ?? low
            let word = rest[start..<high].prefix { $0 != UInt8(ascii: " ") }
            if word.elementsEqual(label) { return .suffix }
            if word.lexicographicallyPrecedes(label) { low = min(word.endIndex + 1, high) } else { high = max(start - 1, low) }
        }
        return nil
    }
}
