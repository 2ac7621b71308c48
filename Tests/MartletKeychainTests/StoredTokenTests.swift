import Foundation
import MartletAuth
import Testing

@testable import MartletKeychain

@Suite("Stored tokens", .timeLimit(.minutes(5)))
struct StoredTokenTests {
    private let whole = AccessToken(
        "s3cr3t \0\"\\ 🐦", refreshToken: "r3fr3sh", type: "DPoP", expiry: Date(timeIntervalSince1970: 1_800_000_000.123456),
        issued: Date(timeIntervalSince1970: 1_700_000_000.5), scopes: ["read", "write:all"])

    @Test("A token is read as it was written, with all members and fractions of seconds")
    func roundTrip() throws {
        for token in [whole, AccessToken("t"), AccessToken(""), AccessToken(String(repeating: "x", count: 200_000))] {
            #expect(try StoredToken.decode(StoredToken.encode(token)) == token)
        }
    }

    @Test("The stored form is JSON with a version, has no null bytes, and is the same for equal tokens")
    func form() throws {
        let bytes = try StoredToken.encode(AccessToken("t", scopes: ["a/b"]))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"token":{"scopes":["a/b"],"type":"Bearer","value":"t"},"version":1}"#)
        #expect(try !StoredToken.encode(whole).contains(0))
    }

    @Test("Unknown members of a later writer are ignored")
    func lenient() throws {
        let token = try StoredToken.decode(Data(#"{"version":1,"by":"x","token":{"value":"t","more":1}}"#.utf8))
        #expect(token == AccessToken("t"))
    }

    @Test("An unknown version is an error that names it", arguments: [0, 2, -1, 99])
    func versions(version: Int) {
        #expect(throws: TokenStoreError.unknownVersion(version)) {
            try StoredToken.decode(Data(#"{"version":\#(version),"token":{"value":"t"}}"#.utf8))
        }
    }

    @Test(
        "Data that is not a token is an error that does not quote it",
        arguments: [
            "", "s3cr3t", "[]", "null", #""s3cr3t""#, #"{"value":"s3cr3t"}"#, #"{"version":"s3cr3t"}"#, #"{"version":1}"#,
            #"{"version":1,"token":"s3cr3t"}"#, #"{"version":1,"token":{"value":1,"type":"s3cr3t"}}"#,
            #"{"version":1,"token":{"value":"s3cr3t","expiry":"s3cr3t"}}"#, #"{"version":1,"token":{"value":"s3cr3t""#,
        ])
    func corrupt(text: String) {
        let error = #expect(throws: TokenStoreError.self) { try StoredToken.decode(Data(text.utf8)) }
        guard case .corrupt = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(error?.description.contains("s3cr3t") == false)
    }

    @Test("Bytes that are not text are an error")
    func binary() {
        #expect(throws: TokenStoreError.self) { try StoredToken.decode(Data([0xFF, 0x00, 0xC3])) }
    }

    @Test("Every proper prefix of the stored bytes is an error, never a partial token")
    func cut() throws {
        let bytes = try StoredToken.encode(whole)
        for count in 0..<bytes.count {
            #expect(throws: TokenStoreError.self) { try StoredToken.decode(bytes.prefix(count)) }
        }
    }

    @Test("A token that can't be written is an error that does not quote it")
    func unwritable() {
        let token = AccessToken("s3cr3t", expiry: Date(timeIntervalSinceReferenceDate: .infinity))
        let error = #expect(throws: TokenStoreError.self) { try StoredToken.encode(token) }
        #expect(error?.description.contains("s3cr3t") == false)
    }
}
