import Foundation
import Martlet
import MartletTesting

/// Files and texts.
enum TextChecks {
    static func har(_ bytes: [UInt8]) { _ = try? HARReading.count(in: Data(bytes), limit: 1 << 20) }

    static func redaction(_ bytes: [UInt8]) {
        let text = Redaction.body(Data(bytes), type: nil, limit: 200)
        promise(text.utf8.count < 4_000, "a snippet of \(text.utf8.count) bytes")
    }
}
