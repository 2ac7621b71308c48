import Testing

@testable import MartletHTTP

@Suite("SHA-2", .timeLimit(.minutes(5)))
struct SHA2Tests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(
        "The examples of NIST have the expected digests (FIPS 180-4)",
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

    @Test("A million letters \"a\" in pieces of different sizes have the expected digest")
    func long() async {
        var hash = SHA256()
        var left = 1_000_000
        var size = 1
        while left > 0 {
            let count = min(size, left)
            hash.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
            left -= count
            size = size % 997 + 61
            await Task.yield()
        }
        #expect(hex(hash.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("Lengths around the end of a block are padded correctly")
    func padding() {
        // Computed with `head -c N /dev/zero | sha256sum`.
        let known = [
            55: "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7",
            56: "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb",
            63: "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971",
            64: "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
            65: "98ce42deef51d40269d542f5314bef2c7468d401ad5d85168bfab4c0108f75f7",
        ]
        for (count, digest) in known { #expect(hex(SHA256.digest(of: repeatElement(0, count: count))) == digest, "\(count)") }
    }

    @Test("SHA-512 of zeros is correct on either side of each block's end (FIPS 180-4 §6.4)")
    func sha512() {
        let known: [(Int, String)] = [
            (
                0,
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (
                1,
                "b8244d028981d693af7b456af8efa4cad63d282e19ff14942c246e50d9351d22"
                    + "704a802a71c3580b6370de4ceb293c324a8423342557d4e5c38438f0e36910ee"
            ),
            (
                111,
                "77ddd3a542e530fd047b8977c657ba6ce72f1492e360b2b2212cd264e75ec038"
                    + "82e4ff0525517ab4207d14c70c2259ba88d4d335ee0e7e20543d22102ab1788c"
            ),
            (
                112,
                "2be2e788c8a8adeaa9c89a7f78904cacea6e39297d75e0573a73c756234534d6"
                    + "627ab4156b48a6657b29ab8beb73334040ad39ead81446bb09c70704ec707952"
            ),
            (
                127,
                "876fee26a8dc66d652341b4951d4a96f4f2652803231ed5ec625bbe0d5c49ea7"
                    + "0941f5299d775a1ace2291fc33b26016f73c81acde83b3c495be55b6916890a1"
            ),
            (
                128,
                "ab942f526272e456ed68a979f50202905ca903a141ed98443567b11ef0bf25a5"
                    + "52d639051a01be58558122c58e3de07d749ee59ded36acf0c55cd91924d6ba11"
            ),
            (
                129,
                "b1f542f68a48608ae53904fbe2105bd8f3e544941abb38ec9d24cb7a26f916ef"
                    + "94cfb431cce0c64077dc2934913130d78492914a5e9ffc52f311e68217caef15"
            ),
            (
                239,
                "5ab1250bc60e105fc71ab84c4866822778e8a40fda48be703be283d1acf79599"
                    + "33ec3024e196c8f4cb548012786f692eb210899323060f28254d3d47a7018205"
            ),
            (
                240,
                "ba21e55aa88dc8b12e13ebff9e67570177db6aacfb606658650397e6423937d8"
                    + "82b1e1c93ed62d12de0dfd59791d78c6a73d68e55f343cfa1f85235daf3b89ec"
            ),
            (
                1000,
                "ca3dff61bb23477aa6087b27508264a6f9126ee3a004f53cb8db942ed345f2f2"
                    + "d229b4b59c859220a1cf1913f34248e3803bab650e849a3d9a709edc09ae4a76"
            ),
        ]
        for (count, digest) in known {
            #expect(hex(SHA512.digest(of: repeatElement(0, count: count))) == digest, "\(count)")
            var hash = SHA512()
            for start in stride(from: 0, to: count, by: 37) { hash.update([UInt8](repeating: 0, count: min(37, count - start))) }
            #expect(hex(hash.finish()) == digest, "\(count), in pieces")
        }
    }

    @Test("The system's library computes the same digests as this package, in parts of any size")
    func system() {
        func compare<Word>(_: SHA2<Word>.Type, _ bytes: [UInt8], _ part: Int) {
            var own = SHA2<Word>(system: nil), system = SHA2<Word>()
            for start in stride(from: 0, to: bytes.count, by: part) {
                own.update(bytes[start..<min(start + part, bytes.count)])
                system.update(bytes[start..<min(start + part, bytes.count)])
            }
            #expect(own.finish() == system.finish(), "\(bytes.count) bytes in parts of \(part)")
        }
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for count in [0, 1, 63, 64, 65, 127, 128, 1023, 1024, 1025, 5000] {
            for part in [1, 61, 64, 999, 5000] {
                compare(SHA256.self, Array(bytes.prefix(count)), part)
                compare(SHA512.self, Array(bytes.prefix(count)), part)
            }
        }
    }

    @Test("A copy of a digest continues on its own, whoever computes it", arguments: [0, Int.max])
    func copies(expected: Int) {
        var first = SHA256(expecting: expected)
        first.update(Array("ab".utf8))
        var second = first
        second.update(Array("c".utf8))
        first.update(Array("d".utf8))
        #expect(second.finish() == SHA256.digest(of: "abc".utf8))
        #expect(first.finish() == SHA256.digest(of: "abd".utf8))
    }

    @Test("Digests below a kilobyte are computed here, and larger ones and those of unknown size by the system's library")
    func division() {
        #expect(!SHA256.leavesToSystem(0))
        #expect(!SHA512.leavesToSystem(1023))
        #expect(SHA256.leavesToSystem(1024))
        #expect(SHA512.leavesToSystem(.max))
    }
}
