/// The closing tags of an XML or HTML text, found in one pass.
struct ClosingTags {
    /// The places of the tags by their names in lower case, in the order of the text.
    private var places: [ArraySlice<UInt8>: [Int]] = [:]

    init(in text: [UInt8]) {
        var place = text.startIndex
        while place + 1 < text.endIndex {
            guard text[place] == UInt8(ascii: "<"), text[place + 1] == UInt8(ascii: "/") else {
                place += 1
                continue
            }
            let name = text[(place + 2)...].prefix { ProseMasking.isNamePart($0) || $0 == UInt8(ascii: ":") }
            places[ClosingTags.key(name), default: []].append(place)
            place = name.endIndex
        }
    }

    /// Returns the place of the first closing tag with this name from a position on.
    func first(of name: ArraySlice<UInt8>, from start: Int) -> Int? {
        guard let places = places[ClosingTags.key(name)] else { return nil }
        var range = places.indices
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = places[middle] < start ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound < places.endIndex ? places[range.lowerBound] : nil
    }

    private static func key(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> { ArraySlice(name.map(Token.lowercased)) }
}
