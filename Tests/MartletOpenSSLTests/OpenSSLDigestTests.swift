#if os(Linux)
import MartletSystem
import Testing

@testable import MartletOpenSSL

@Suite("Digests of OpenSSL", .timeLimit(.minutes(5)), .enabled(if: OpenSSLDigest(.sha256) != nil))
struct OpenSSLDigestTests {
    private func digest(_ algorithm: OpenSSLDigest.Algorithm, _ parts: [String]) throws -> String {
        var digest = try #require(OpenSSLDigest(algorithm))
        for part in parts { Array(part.utf8).withUnsafeBytes { digest.update($0) } }
        return hex(digest.finish())
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    @Test("The examples of NIST have the expected digests (FIPS 180-4), also in parts")
    func examples() throws {
        let long = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try digest(.sha256, ["abc"]) == long)
        #expect(try digest(.sha256, ["a", "", "bc"]) == long)
        #expect(try digest(.sha256, []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            try digest(.sha512, ["ab", "c"])
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    }

    @Test("A copy continues on its own, and can be finished twice")
    func copies() throws {
        var first = try #require(OpenSSLDigest(.sha256))
        Array("ab".utf8).withUnsafeBytes { first.update($0) }
        var second = first
        Array("c".utf8).withUnsafeBytes { second.update($0) }
        Array("d".utf8).withUnsafeBytes { first.update($0) }
        let copy = second
        #expect(hex(second.finish()) == (try digest(.sha256, ["abc"])))
        #expect(hex(copy.finish()) == (try digest(.sha256, ["abc"])))
        #expect(hex(first.finish()) == (try digest(.sha256, ["abd"])))
    }

    @Test("Digests on many threads do not disturb each other")
    func threads() async throws {
        let expected = try digest(.sha256, Array(repeating: "abc", count: 500))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<64 { group.addTask { try digest(.sha256, Array(repeating: "abc", count: 500)) } }
            for try await digest in group { #expect(digest == expected) }
        }
    }

    @Test("A library that is not libcrypto does not end the search, and is named in the error")
    func search() throws {
        _ = try OpenSSLDigest.Library(names: ["libc.so.6", "libcrypto.so.3"])
        let error = #expect(throws: SystemLibrary.Unusable.self) { try OpenSSLDigest.Library(names: ["libc.so.6"]) }
        #expect(error?.description.contains("libc.so.6 has no EVP_MD_CTX_new") == true)
    }
}
#endif
