internal import MartletEssentials
internal import MartletJSON

/// What the strings at one place have in common.
struct StringFacts {
    private(set) var count = 0
    private var dates = 0, uuids = 0, urls = 0
    /// The distinct values in the order in which they were first seen, up to one more than the limit of an enum.
    private(set) var values: [String] = []

    /// The maximum number of cases of an enum.
    static let maxCases = 12
    private static let maxCaseLength = 40

    mutating func add(_ text: String) {
        count += 1
        if StringFacts.isDate(text) { dates += 1 }
        if StringFacts.isUUID(text) { uuids += 1 }
        if StringFacts.isURL(text) { urls += 1 }
        note(text)
    }

    mutating func merge(_ other: StringFacts) {
        count += other.count
        dates += other.dates
        uuids += other.uuids
        urls += other.urls
        for value in other.values { note(value) }
    }

    private mutating func note(_ text: String) {
        if values.count <= StringFacts.maxCases, !values.contains(text) { values.append(text) }
    }

    var areDates: Bool { count > 0 && dates == count }
    var areUUIDs: Bool { count > 0 && uuids == count }
    var areURLs: Bool { count > 0 && urls == count }

    /// Whether all values can be cases of an enum.
    var canBeCases: Bool {
        count > 0 && values.count <= StringFacts.maxCases
            && values.allSatisfy { $0.count <= StringFacts.maxCaseLength && Identifier.words(in: $0).count > 0 }
    }

    /// Whether the values look like the cases of an enum: at most half as many as strings, and each a short word.
    var lookLikeCases: Bool {
        canBeCases && values.count >= 2 && values.count * 2 <= count && values.allSatisfy(StringFacts.isWord)
    }

    private static func isWord(_ text: String) -> Bool {
        text.unicodeScalars.first?.properties.isAlphabetic == true
            && text.unicodeScalars.allSatisfy { $0.isASCII && (Identifier.isWordScalar($0) || "-.:/".unicodeScalars.contains($0)) }
    }

    // MARK: Types of strings

    /// Whether the client's default decoder, `.json`, reads the text as a date.
    static func isDate(_ text: String) -> Bool { date(text) != nil }

    /// Returns the date that the client's default decoder reads.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count >= 20, text.utf8.count < 64, text.first?.isNumber == true else { return nil }
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let date = try? decoder.decode(Date.self, from: Data(JSONText.quoted(text).utf8))
        // The encoder writes no dates before the year 1 and after the year 9999.
        return date.flatMap { (-62_135_596_800..<253_402_300_800).contains($0.timeIntervalSince1970) ? $0 : nil }
    }

    static func isUUID(_ text: String) -> Bool { text.utf8.count == 36 && UUID(uuidString: text) != nil }

    /// Whether the text is a web address that `URL` keeps unchanged.
    static func isURL(_ text: String) -> Bool {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), let url = URL(string: text) else { return false }
        return url.host?.isEmpty == false && url.absoluteString == text
    }
}
