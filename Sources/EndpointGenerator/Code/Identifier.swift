/// Swift names for the names of JSON members and path values.
package enum Identifier {
    /// Returns the name of a property or enum case: `userID` for `user_id`. A name that is one already stays unchanged.
    package static func property(_ text: String, maxLength: Int = maxLength) -> String {
        let name = isPropertyName(text, maxLength) ? text : lowerCamel(words(in: text, maxLength: maxLength))
        return reservedProperties.contains(name) ? name + "Value" : name
    }

    /// Returns the name of a type: `OrderItem` for `order_item`.
    static func type(_ text: String) -> String {
        let words = words(in: text)
        let name = words.isEmpty ? "Value" : words.map { capitalized($0) }.joined()
        return isStart(name) ? name : "Value" + name
    }

    /// Returns a name in backticks if it is a keyword.
    package static func escaped(_ name: String) -> String { SwiftKeywords.all.contains(name) ? "`\(name)`" : name }

    /// Returns a name as the label of an argument, where the compiler warns about backticks that are not needed.
    package static func label(_ name: String) -> String { name == "inout" ? "`\(name)`" : name }

    /// Whether a text is a valid name of a type at the top level that hides no other.
    static func isTypeName(_ text: String) -> Bool {
        text.first?.isUppercase == true && text.unicodeScalars.allSatisfy(isWordScalar) && !SwiftKeywords.typeNames.contains(text)
            && !SwiftKeywords.topLevelNames.contains(text) && !SwiftKeywords.all.contains(text)
    }

    /// Whether a text is a valid name of a module.
    package static func isModuleName(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(isWordScalar) && (text.first == "_" || isStart(text)) && text != "_"
            && !SwiftKeywords.all.contains(text)
    }

    /// Returns the name that SwiftPM gives to the module of a target: `My_App` for `My-App`.
    package static func module(_ target: String) -> String {
        let name = String(String.UnicodeScalarView(target.unicodeScalars.map { isWordScalar($0) ? $0 : "_" }))
        return name.isEmpty || isStart(name) ? name : "_" + name.dropFirst()
    }

    /// Returns `name`, or `name` with a suffix or number if it is taken or hides a common type.
    package static func unused(_ name: String, taken: Set<String>, suffix: String = "Value") -> String {
        var numbers: [String: Int] = [:]
        return unused(name, suffix: suffix, after: &numbers, isTaken: taken.contains)
    }

    /// Returns `name`, or `name` with a suffix or number if it is taken or hides a common type.
    ///
    /// - Parameter numbers: By name, a number below which all are taken. Pass it to each call, so that many names take linear time.
    package static func unused(
        _ name: String, suffix: String = "Value", after numbers: inout [String: Int], isTaken: (String) -> Bool
    ) -> String {
        let isReserved = SwiftKeywords.typeNames.contains(name)
        if !isReserved, !isTaken(name) { return name }
        let start = isReserved ? name + suffix : name
        if !isTaken(start) { return start }
        var number = numbers[start] ?? 2
        while isTaken("\(start)\(number)") { number += 1 }
        numbers[start] = number
        return "\(start)\(number)"
    }

    /// Whether a scalar may be part of a Swift name and is visible there.
    static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || isLetterOrDigit(scalar) }
        return scalar.value < 0x1_0000 && scalar.properties.isXIDContinue && !scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isPropertyName(_ text: String, _ maxLength: Int) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return text.utf8.count <= maxLength && first.properties.isLowercase && first.properties.isXIDStart
            && text.unicodeScalars.allSatisfy { isWordScalar($0) && $0 != "_" }
    }

    /// The maximum length of a name. A longer one is shortened.
    package static let maxLength = 50

    // MARK: Words

    /// Splits a name at punctuation, spaces, and changes from lower to upper case. Signs that begin a name are written as words.
    static func words(in text: String, maxLength: Int = maxLength) -> [String] {
        var words: [String] = [], word = ""
        var scalars = Array(text.unicodeScalars.prefix(maxLength))
        if let first = scalars.first, let sign = signs[first] {
            words.append(sign)
            scalars.removeFirst()
        }
        for (index, scalar) in scalars.enumerated() {
            guard isWordScalar(scalar), scalar != "_" else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let previous = index > 0 ? scalars[index - 1] : nil, next = index + 1 < scalars.count ? scalars[index + 1] : nil
            // The last capital before a small letter begins a word, except in plurals such as `IDs`.
            let isPlural = next == "s" && (index + 2 == scalars.count || !scalars[index + 2].properties.isLowercase)
            if scalar.properties.isUppercase, !word.isEmpty,
                previous?.properties.isUppercase == false || next?.properties.isLowercase == true && !isPlural
            {
                words.append(word)
                word = ""
            }
            word.unicodeScalars.append(scalar)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static let signs: [Unicode.Scalar: String] = [
        "+": "plus", "-": "minus", "@": "at", "$": "dollar", "#": "hash", "%": "percent", "*": "star", "&": "and",
    ]

    private static func lowerCamel(_ words: [String]) -> String {
        guard let first = words.first else { return "value" }
        let name = first.lowercased() + words.dropFirst().map { capitalized($0) }.joined()
        return isStart(name) ? name : "value" + name
    }

    /// Whether a name begins with a letter and not with a digit or a combining mark.
    private static func isStart(_ name: String) -> Bool {
        name.unicodeScalars.first.map { $0.properties.isXIDStart } ?? false
    }

    private static func capitalized(_ word: String) -> String {
        let lower = word.lowercased()
        if let acronym = acronyms[lower] { return acronym }
        // A word such as `iOS` or `HTTPServer` was split at its capitals, so only a word in capitals has more than one.
        return lower.prefix(1).uppercased() + lower.dropFirst()
    }

    /// Words that the API Design Guidelines write in one case.
    private static let acronyms: [String: String] = {
        let words = "API CSS CSV DNS GPS HTML HTTP HTTPS IBAN ID IP ISO JSON PDF SKU SMS SQL SSL TLS UI URI URL UTC UUID VAT XML"
        var acronyms = ["ids": "IDs", "urls": "URLs"]
        for word in words.split(separator: " ") { acronyms[word.lowercased()] = String(word) }
        return acronyms
    }()

    /// Property names that a type can't use freely.
    private static let reservedProperties: Set<String> = ["self", "init", "hashValue", "Type", "Protocol"]
}

/// The singular forms of English nouns in paths and member names.
package enum Plurals {
    /// Returns the singular of the last word: `order_item` for `order_items`. A word in the singular stays unchanged.
    package static func singular(_ text: String) -> String {
        let lower = text.lowercased()
        for (plural, noun) in irregular where lower.hasSuffix(plural) {
            let ending = text.suffix(plural.count)
            let isCapital = ending.first?.isUppercase == true
            return text.dropLast(plural.count) + (isCapital ? noun.prefix(1).uppercased() + noun.dropFirst() : noun)
        }
        if unchanged.contains(where: lower.hasSuffix) { return text }
        if lower.hasSuffix("ies"), lower.count > 4 { return text.dropLast(3) + "y" }
        let endings = ["sses", "shes", "ches", "xes", "zes", "uses"]
        if endings.contains(where: lower.hasSuffix), lower.count > 4 { return String(text.dropLast(2)) }
        return lower.hasSuffix("s") && lower.count > 2 ? String(text.dropLast()) : text
    }

    /// Whether the last word is a plural.
    static func isPlural(_ text: String) -> Bool { singular(text) != text }

    private static let irregular: KeyValuePairs = [
        "people": "person", "children": "child", "movies": "movie", "cookies": "cookie", "caches": "cache", "indices": "index",
        "invoices": "invoice", "houses": "house", "causes": "cause", "pauses": "pause", "purchases": "purchase", "sizes": "size",
        "prizes": "prize", "analyses": "analysis", "categories": "category",
    ]
    private static let unchanged = ["ss", "us", "is", "news", "series", "species", "https", "alias", "always", "gps", "sms", "css", "dns"]
}

/// The words that generated names avoid.
package enum SwiftKeywords {
    /// Keywords, which need backticks as names.
    package static let all = Set(
        """
        any as associatedtype await break case catch class continue default defer deinit do else enum \
        extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator precedencegroup \
        private protocol public repeat rethrows return self Self some static struct subscript super switch throw throws \
        true try typealias var where while Any
        """.split(separator: " ").map(String.init))

    /// Types that an endpoint nests, and types that only generated tests use. A type at the top level must not hide them.
    static let topLevelNames: Set<String> = [
        "Body", "HTTPClientMock", "JSONBodyDecoder", "JSONBodyEncoder", "Response", "Suite", "Test", "Testing",
    ]

    /// Types that generated sources use, or that a nested type should not hide.
    package static let typeNames = Set(
        """
        Any AnyObject Array Bool BodyDecoder BodyEncoder CallOptions CaseIterable Character Codable CodingKey CodingKeys Data Date \
        Decimal Decodable Decoder Dictionary Double Duration EmptyResponse Encodable Encoder Endpoint Equatable Error ErrorBody Float \
        Form Foundation HTTPClient HTTPClientProtocol HTTPError HTTPFields HTTPMethod HTTPRequest HTTPResponse HTTPStatus Hashable \
        Identifiable Int Int64 JSONNumber JSONObject JSONReadable JSONReader JSONValue Martlet Never OpenEnum Optional Path ProblemDetails \
        Protocol Query Request RequestBody Result Self Sendable Set StatusValidation String Swift Task Type UInt64 URL UUID Void
        """.split(separator: " ").map(String.init))
}
