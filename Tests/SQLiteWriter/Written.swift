import Foundation
import MartletCache

/// The responses that `SQLiteWriter` writes. Tests use them to check the store afterwards.
enum Written {
    static let keys = 6

    static func key(_ number: Int) -> CacheKey { CacheKey(uri: "http://birds.test/\(number % keys)") }

    /// The response with a number, written by a program with a name.
    static func response(_ number: Int, by name: String) -> StoredResponse {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        return StoredResponse(
            id: "\(name)-\(number)", key: key(number), status: .ok, headers: ["etag": "\"\(number)\""], requestTime: date,
            responseTime: date)
    }

    /// Returns a body. About half of the bodies are large enough to be stored in chunks.
    static func body(of id: String) -> Data {
        var state = id.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let count = state % 2 == 0 ? Int(state / 2 % 5000) : Int(state / 2 % 100_000)
        var data = Data(count: (count + 7) / 8 * 8)
        data.withUnsafeMutableBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.storeBytes(of: state, toByteOffset: offset, as: UInt64.self)
            }
        }
        return data.prefix(count)
    }
}
