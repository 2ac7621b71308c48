import Testing

@testable import MartletCore

@Suite("SHA-256")
struct SHA256Tests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(
        "The examples of NIST give their digests (FIPS 180-4)",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func examples(text: String, digest: String) {
        #expect(hex(SHA256.digest(of: text.utf8)) == digest)
    }

    @Test("A million times the letter a, in pieces of uneven size")
    func long() {
        var hash = SHA256()
        var left = 1_000_000
        var size = 1
        while left > 0 {
            let count = min(size, left)
            hash.update(repeatElement(UInt8(ascii: "a"), count: count))
            left -= count
            size = size % 997 + 61
        }
        #expect(hex(hash.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("Lengths around the end of a block are padded as they should be")
    func padding() {
        // By `head -c N /dev/zero | sha256sum`.
        let known = [
            55: "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7",
            56: "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb",
            63: "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971",
            64: "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
            65: "98ce42deef51d40269d542f5314bef2c7468d401ad5d85168bfab4c0108f75f7",
        ]
        for (count, digest) in known { #expect(hex(SHA256.digest(of: repeatElement(0, count: count))) == digest, "\(count)") }
    }
}
