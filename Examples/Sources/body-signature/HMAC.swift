import Foundation
import Martlet

/// Returns the HMAC-SHA256 of a text (RFC 2104) in hexadecimal. With CryptoKit or swift-crypto, use theirs.
func hmac(_ text: String, key: Data) -> String {
    var block = key.count > 64 ? ContentDigest(.sha256, of: key).bytes : key
    block += Data(count: 64 - block.count)
    let inner = ContentDigest(.sha256, of: Data(block.map { $0 ^ 0x36 }) + Data(text.utf8))
    return ContentDigest(.sha256, of: Data(block.map { $0 ^ 0x5C }) + inner.bytes).hexadecimal
}
