import Foundation

@testable import MartletJSON

/// What a decoding returned or threw, as far as two decoders can be compared.
enum DecodingOutcome<Value: Equatable>: Equatable {
    case value(Value)
    case failure(Failure)

    /// The parts of an error: its case, the names and indexes of its path, and its type or key.
    struct Failure: Equatable {
        var name: String
        var path: [String]
        var indexes: [Int]
        var detail: String
    }

    init(_ decode: () throws -> Value) {
        do {
            self = .value(try decode())
        } catch let error as DecodingError {
            self = .failure(Failure(error))
        } catch {
            self = .failure(Failure(name: "\(error)", path: [], indexes: [], detail: ""))
        }
    }

    /// Whether our outcome equals Foundation's, apart from the deliberate differences in `JSONDecodingDifferencesTests`.
    func isEquivalent(to foundation: DecodingOutcome) -> Bool {
        guard case .failure(let ours) = self, case .failure(var theirs) = foundation else { return self == foundation }
        // Null for Bool.
        if ours.name == "valueNotFound", ours.detail == "Bool", theirs.name == "typeMismatch" { theirs.name = "valueNotFound" }
        // Numbers that can't be represented, and dates, which Foundation reports at the root or at the container.
        if ours.name == "dataCorrupted", theirs.name == "dataCorrupted", ours.path.starts(with: theirs.path) { return true }
        return ours == theirs
    }
}

extension DecodingOutcome.Failure {
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context): self.init("typeMismatch", context, "\(type)")
        case .valueNotFound(let type, let context): self.init("valueNotFound", context, "\(type)")
        case .keyNotFound(let key, let context): self.init("keyNotFound", context, key.stringValue)
        case .dataCorrupted(let context): self.init("dataCorrupted", context, "")
        @unknown default: self.init(name: "\(error)", path: [], indexes: [], detail: "")
        }
    }

    private init(_ name: String, _ context: DecodingError.Context, _ detail: String) {
        // Only Foundation's paths have integer values for the keys of dictionaries with integer keys.
        let indexes = context.codingPath.filter { $0.stringValue.hasPrefix("Index ") }.map { $0.intValue ?? -1 }
        self.init(name: name, path: context.codingPath.map(\.stringValue), indexes: indexes, detail: detail)
    }
}

/// A type whose decoding is compared with Foundation's.
protocol ComparedType: Decodable, Equatable {
    /// A valid document.
    static func document(_ random: inout SeededGenerator) -> SampleValue
    /// Whether a document has at most one change. With several errors, Foundation may report any of them.
    static var hasUnorderedErrors: Bool { get }
}

extension ComparedType {
    static var hasUnorderedErrors: Bool { false }

    /// Decodes generated documents with both decoders and returns the documents with different results.
    static func differences(_ settings: DecodingSettings, seed: UInt64, count: Int) -> [String] {
        var random = SeededGenerator(seed: seed), result: [String] = []
        let foundation = settings.foundation
        for round in 0..<count {
            var document = document(&random)
            let changes = hasUnorderedErrors ? min(round % 4, 1) : round % 4
            for _ in 0..<changes { document = document.mutated(&random) }
            let data = Data(document.renamed(settings.documentName).text(&random).utf8)
            let ours = DecodingOutcome { try settings.martlet.decode(Self.self, from: data) }
            let theirs = DecodingOutcome { try foundation.decode(Self.self, from: data) }
            if settings.decodesRepeatedNames, case .failure = theirs, document.hasRepeatedNames { continue }
            if !ours.isEquivalent(to: theirs) {
                result.append("\(String(decoding: data, as: UTF8.self))\n  Martlet: \(ours)\n  Foundation: \(theirs)")
            }
        }
        return result
    }
}
