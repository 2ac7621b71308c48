import Foundation
import Testing

@testable import MartletJSON

/// A decoder of ours and one of Foundation's with the same strategies.
struct DecodingSettings: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let martlet: JSONBodyDecoder
    private let configure: @Sendable (JSONDecoder) -> Void
    /// Converts a Swift name to the name in documents.
    let documentName: @Sendable (String) -> String

    init(
        _ name: String, documentName: @escaping @Sendable (String) -> String = { $0 },
        martlet change: (inout JSONBodyDecoder) -> Void = { _ in },
        foundation configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) {
        testDescription = name
        var decoder = JSONBodyDecoder()
        decoder.userInfo[.sample] = "info"
        change(&decoder)
        martlet = decoder
        self.configure = configure
        self.documentName = documentName
    }

    /// Whether Foundation decodes all members of a name in a dictionary, although the first one counts.
    var decodesRepeatedNames: Bool {
        if case .useDefaultKeys = martlet.keyDecodingStrategy { return false }
        return true
    }

    /// Foundation's decoder. It is a class, so each use creates one.
    var foundation: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.sample] = "info"
        configure(decoder)
        return decoder
    }

    static let all: [DecodingSettings] = [
        DecodingSettings("defaults"),
        DecodingSettings(
            "snake case, seconds since 1970, data as bytes", documentName: snakeCase,
            martlet: {
                $0.keyDecodingStrategy = .convertFromSnakeCase
                $0.dateDecodingStrategy = .secondsSince1970
                $0.dataDecodingStrategy = .deferredToData
            },
            foundation: {
                $0.keyDecodingStrategy = .convertFromSnakeCase
                $0.dateDecodingStrategy = .secondsSince1970
                $0.dataDecodingStrategy = .deferredToData
            }),
        DecodingSettings(
            "custom keys, milliseconds since 1970, custom data", documentName: { "x-" + $0 },
            martlet: {
                $0.keyDecodingStrategy = .custom(strippedKey)
                $0.dateDecodingStrategy = .millisecondsSince1970
                $0.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
            },
            foundation: {
                $0.keyDecodingStrategy = .custom(strippedKey)
                $0.dateDecodingStrategy = .millisecondsSince1970
                $0.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
            }),
        DecodingSettings(
            "ISO 8601, strings for infinity and NaN",
            martlet: {
                $0.dateDecodingStrategy = .iso8601
                $0.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "Infinity", negativeInfinity: "-", nan: "NaN")
            },
            foundation: {
                $0.dateDecodingStrategy = .iso8601
                $0.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "Infinity", negativeInfinity: "-", nan: "NaN")
            }),
        DecodingSettings(
            "custom dates",
            martlet: { $0.dateDecodingStrategy = .custom(yearDate) },
            foundation: { $0.dateDecodingStrategy = .custom(yearDate) }),
    ]

    private static let snakeCase: @Sendable (String) -> String = { name in
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }

    private static let strippedKey: @Sendable ([any CodingKey]) -> any CodingKey = { path in
        let name = path.last?.stringValue ?? ""
        return SampleKey(stringValue: name.hasPrefix("x-") ? String(name.dropFirst(2)) : name + "\(path.count)")
    }

    private static let yearDate: @Sendable (any Decoder) throws -> Date = { decoder in
        let year = try decoder.singleValueContainer().decode(Int.self)
        guard year > 0 else {
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: ""))
        }
        return Date(timeIntervalSinceReferenceDate: Double(year))
    }
}

/// A key with any name.
struct SampleKey: CodingKey, Hashable {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}

extension CodingUserInfoKey {
    static var sample: CodingUserInfoKey { CodingUserInfoKey(rawValue: "sample")! }
}
