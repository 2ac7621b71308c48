import Foundation
import Testing

@testable import MartletJSON

@Suite("Comparison with Foundation's JSONDecoder", .timeLimit(.minutes(1)))
struct JSONDecodingComparisonTests {
    static let types: [any (ComparedType & SendableMetatype).Type] = [
        ScalarSample.self, OptionalSample.self, DeepOptionalSample.self, TreeSample.self, AssociatedSample.self, RawEnumSample.self,
        DictionarySample.self, SetSample.self, FoundationSample.self, FloatSample.self, WideSample.self, PageSample<RawEnumSample>.self,
        [OptionalSample].self, Int.self, String?.self, DogSample.self, FlatDogSample.self, NestedContainerSample.self, UnkeyedSample.self,
        TryingSample.self, AllKeysSample.self, PathSample.self, WrapperSample.self,
    ]

    @Test("Valid and changed documents decode to the same values and errors", arguments: types.indices, DecodingSettings.all)
    func comparison(place: Int, settings: DecodingSettings) {
        let type = JSONDecodingComparisonTests.types[place]
        let differences = type.differences(settings, seed: UInt64(place), count: 120)
        for difference in differences.prefix(2) { Issue.record("\(type): \(difference)") }
    }

    @Test("Decimal numbers have the same digits as with Foundation's decoder")
    func decimals() {
        var random = SeededGenerator(seed: 61)
        var texts = ["0", "-0", "0e5", "1e127", "1e128", "9e127", "1e-127", "1e-128", "1e-129", "-1e-400", "1e300", "1.5e-100", "100e-2"]
        for count in 1...60 {
            let digits = "1" + (0..<count).map { _ in String(random.below(10)) }.joined()
            texts += [digits, "-0." + digits, "\(digits)e\(random.below(200) - 100)", "\(digits).\(digits.reversed())"].map { String($0) }
        }
        for text in texts {
            let data = Data("[\(text)]".utf8)
            let ours = DecodingOutcome { try JSONBodyDecoder().decode([Decimal].self, from: data) }
            let theirs = DecodingOutcome { try JSONDecoder().decode([Decimal].self, from: data) }
            if !ours.isEquivalent(to: theirs) { Issue.record("\(text): \(ours) instead of \(theirs)") }
        }
    }
}
