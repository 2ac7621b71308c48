import Foundation
import Testing

@testable import MartletURLSession

@Suite("PEM", .timeLimit(.minutes(5)))
struct PEMTests {
    private func certificates(_ text: String) -> [Data]? { PEM.certificates(in: Data(text.utf8)) }

    @Test("Each certificate is read, and the text between them is ignored (RFC 7468 §5)")
    func several() {
        let text = """
            Subject: one
            -----BEGIN CERTIFICATE-----
            AQI=
            -----END CERTIFICATE-----\r
            -----BEGIN PRIVATE KEY-----
            AAAA
            -----END PRIVATE KEY-----
            -----BEGIN CERTIFICATE-----
              AwQF
            BgcI
            -----END CERTIFICATE-----
            """
        #expect(certificates(text) == [Data([1, 2]), Data([3, 4, 5, 6, 7, 8])])
    }

    @Test("A text without certificates has an empty list")
    func none() { #expect(certificates("hello") == []) }

    @Test("If one certificate is not Base64, is empty or does not end, none is returned", arguments: ["*", "", "AQI=\n-----BEGIN X-----"])
    func malformed(content: String) {
        #expect(certificates("-----BEGIN CERTIFICATE-----\n\(content)\n-----END CERTIFICATE-----") == nil)
        #expect(certificates("-----BEGIN CERTIFICATE-----\nAQI=") == nil)
    }
}
