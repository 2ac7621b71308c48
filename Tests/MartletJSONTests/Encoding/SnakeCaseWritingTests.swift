import Foundation
import Testing

@testable import MartletJSON

@Suite("SnakeCaseWriting", .timeLimit(.minutes(5)))
struct SnakeCaseWritingTests {
    @Test(
        "Camel case becomes snake case",
        arguments: [
            ("myProperty", "my_property"), ("myURLProperty", "my_url_property"), ("URL", "u_rl"), ("", ""), ("_", "_"),
            ("__aB__", "__a_b__"),
            ("already_snake", "already_snake"), ("a1B2", "a1_b2"), ("x", "x"), ("X", "x"), ("myUR", "my_ur"),
        ])
    func conversion(key: String, expected: String) {
        #expect(SnakeCaseWriting.convert(key) == expected)
    }

    @Test("Random keys are converted as Foundation does", arguments: 0..<4)
    func randomKeys(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("abcABC019_-. ÄäßÉéΣσǅ漢😀e\u{301}E\u{301}")
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        foundation.outputFormatting = .withoutEscapingSlashes
        for _ in 0..<2000 {
            let key = String((0..<Int.random(in: 0...9, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            let value = Scripted { encoder in
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(0, forKey: TextKey(key))
            }
            let expected = String(decoding: try foundation.encode(value), as: UTF8.self)
            #expect("{\"\(SnakeCaseWriting.convert(key))\":0}" == expected, "\(key)")
        }
    }
}
