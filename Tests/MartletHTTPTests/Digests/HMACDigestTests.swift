import Foundation
import MartletHTTP
import Testing

@Suite("HMACDigest", .timeLimit(.minutes(5)))
struct HMACDigestTests {
    /// A test case of RFC 4231 §4.
    struct Vector: Sendable {
        let key: Data
        let data: Data
        let sha256: String
        let sha512: String
    }

    static let vectors = [
        Vector(
            key: Data(repeating: 0x0B, count: 20), data: Data("Hi There".utf8),
            sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            sha512: "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"),
        Vector(
            key: Data("Jefe".utf8), data: Data("what do ya want for nothing?".utf8),
            sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            sha512: "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"),
        Vector(
            key: Data(repeating: 0xAA, count: 20), data: Data(repeating: 0xDD, count: 50),
            sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            sha512: "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39"
                + "bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb"),
        Vector(
            key: Data(1...25), data: Data(repeating: 0xCD, count: 50),
            sha256: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            sha512: "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db"
                + "a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd"),
        Vector(
            key: Data(repeating: 0xAA, count: 131), data: Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            sha512: "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"),
        Vector(
            key: Data(repeating: 0xAA, count: 131),
            data: Data(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            sha256: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
            sha512: "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944"
                + "b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58"),
    ]

    @Test("Digests equal the test cases of RFC 4231", arguments: vectors.indices)
    func examples(index: Int) {
        let vector = Self.vectors[index]
        #expect(HMACDigest(.sha256, of: vector.data, key: vector.key).hexadecimal == vector.sha256)
        #expect(HMACDigest(.sha512, of: vector.data, key: vector.key).hexadecimal == vector.sha512)
    }

    @Test("Slices of data and empty keys are supported")
    func edges() {
        let key = Data("key".utf8), text = Data("xtext".utf8).dropFirst()
        #expect(HMACDigest(.sha256, of: text, key: key) == HMACDigest(.sha256, of: Data("text".utf8), key: key))
        #expect(
            HMACDigest(.sha256, of: Data(), key: Data()).hexadecimal
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("A received digest is equal only if its length and every byte are")
    func comparison() {
        let digest = HMACDigest(.sha256, of: Data("text".utf8), key: Data("key".utf8)), bytes = digest.bytes
        #expect(digest.isEqual(to: bytes) && digest.isEqual(to: (Data([0]) + bytes).dropFirst()))
        #expect(digest.isEqual(to: digest.hexadecimal) && digest.isEqual(to: digest.hexadecimal.uppercased()))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(!digest.isEqual(to: other))
        }
        for other in [Data(), bytes.dropLast(), bytes + [0]] { #expect(!digest.isEqual(to: other)) }
        for text in ["", "0", String(repeating: "g", count: 64), String(digest.hexadecimal.dropLast(2))] {
            #expect(!digest.isEqual(to: text))
        }
        #expect(digest != HMACDigest(.sha512, of: Data("text".utf8), key: Data("key".utf8)))
    }
}
