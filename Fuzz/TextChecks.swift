import Foundation

@testable import Martlet
@testable import MartletHAR
@testable import MartletHTTP
@testable import MartletJSON
@testable import MartletTesting

/// Checks HAR files and redacted texts.
enum TextChecks {
    static func har(_ bytes: [UInt8]) { _ = try? HARReading.count(in: Data(bytes), limit: 1 << 20) }

    static func redaction(_ bytes: [UInt8]) {
        let text = Redaction.body(Data(bytes), type: nil, limit: 200)
        promise(text.utf8.count < 4_000, "a redacted snippet has \(text.utf8.count) bytes, the limit is 4000")
    }
}
