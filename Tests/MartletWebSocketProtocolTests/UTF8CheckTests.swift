import Foundation
import MartletHTTP
import Testing

@testable import MartletWebSocketProtocol

/// Tests the check of texts in pieces (RFC 3629).
@Suite(.timeLimit(.minutes(5)))
struct UTF8CheckTests {
    /// The bytes, whether they are UTF-8, and the number of them after which it is known that they are not.
    private static let table: [(hex: String, isText: Bool, failsAfter: Int?)] = [
        ("", true, nil), ("61", true, nil), ("7f", true, nil), ("c2a9", true, nil), ("dfbf", true, nil), ("e0a080", true, nil),
        ("efbfbf", true, nil), ("ed9fbf", true, nil), ("ee8080", true, nil), ("f0908080", true, nil), ("f48fbfbf", true, nil),
        ("ceba e1bdb9 cf83 cebc ceb5", true, nil),
        ("80", false, 1), ("bf", false, 1), ("c0", false, 1), ("c1bf", false, 1), ("e08080", false, 2), ("e09fbf", false, 2),
        ("eda080", false, 2), ("edbfbf", false, 2), ("f0808080", false, 2), ("f08fbfbf", false, 2), ("f4908080", false, 2),
        ("f5", false, 1), ("ff", false, 1), ("c261", false, 2), ("e2", false, nil), ("e282", false, nil), ("f09f98", false, nil),
        ("e28261", false, 3), ("f09f9861", false, 4),
        ("6161616161616161 616161616161e2", false, nil), ("6161616161616161 6161616161616161ff", false, 17),
    ]

    @Test("Characters of every length are accepted; overlong ones, surrogates, values above U+10FFFF and strays are rejected at once")
    func characters() {
        for (hex, isText, failsAfter) in UTF8CheckTests.table {
            let bytes = Data(hex: hex)
            #expect(bytes.withUnsafeBytes { UTF8Check.accepts($0) } == isText, "\(hex)")
            var check = UTF8Check()
            let accepted = bytes.indices.prefix { index in bytes[index...index].withUnsafeBytes { check.accepts($0) } }
            #expect(accepted.count == failsAfter.map { $0 - 1 } ?? bytes.count, "\(hex) byte by byte")
            if failsAfter == nil { #expect(check.isComplete == isText, "\(hex)") }
        }
    }

    @Test("The check agrees with the standard library for every pair and triple of interesting bytes")
    func agreesWithStrings() {
        let interesting: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
            0xF3, 0xF4, 0xF5, 0xF8, 0xFF,
        ]
        for first in interesting {
            for second in interesting {
                for third in interesting {
                    let bytes = [first, second, third, 0x80]
                    for count in 2...4 {
                        let part = Array(bytes.prefix(count))
                        let isText = String(validUTF8: part) != nil
                        #expect(part.withUnsafeBytes { UTF8Check.accepts($0) } == isText, "\(Data(part).hex)")
                    }
                }
            }
        }
    }
}
