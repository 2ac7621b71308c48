internal import Foundation

/// Makes the SubjectPublicKeyInfo of a key (RFC 5280 §4.1.2.7), whose hash is what pins name, from the bare key that Security gives.
enum PublicKeyInfo {
    enum Kind: Hashable, Sendable {
        case rsa
        /// By the size of the curve in bits: P-256, P-384 and P-521.
        case ellipticCurve(bits: Int)
    }

    /// - Parameters:
    ///   - kind: what kind of key it is.
    ///   - key: for RSA, a PKCS #1 RSAPublicKey (RFC 8017 §A.1.1); for curves, the uncompressed point (SEC 1 §2.3.3).
    /// - Returns: DER; nil for a curve that is none of these.
    static func der(_ kind: Kind, key: Data) -> Data? {
        guard let algorithm = algorithm(of: kind) else { return nil }
        // A bit string whose last byte has no unused bits.
        let bits = element(0x03, Data([0]) + key)
        return element(0x30, element(0x30, algorithm) + bits)
    }

    private static func algorithm(of kind: Kind) -> Data? {
        switch kind {
        // 1.2.840.113549.1.1.1, and its parameters, which are NULL.
        case .rsa: element(0x06, Data([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])) + Data([0x05, 0x00])
        // 1.2.840.10045.2.1, and the curve.
        case .ellipticCurve(let bits):
            curve(bits: bits).map { element(0x06, Data([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])) + element(0x06, $0) }
        }
    }

    private static func curve(bits: Int) -> Data? {
        switch bits {
        case 256: Data([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
        case 384: Data([0x2B, 0x81, 0x04, 0x00, 0x22])
        case 521: Data([0x2B, 0x81, 0x04, 0x00, 0x23])
        default: nil
        }
    }

    /// Tag, length and content (X.690 §8.1).
    private static func element(_ tag: UInt8, _ content: Data) -> Data {
        let digits = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        let length = content.count < 0x80 ? [UInt8(content.count)] : [0x80 | UInt8(digits.count)] + digits
        return Data([tag] + length) + content
    }
}
