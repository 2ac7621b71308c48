import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct ChecksumTests {
    @Test("A digest is hexadecimal in either case and of the right length, or it is none")
    func reads() {
        let digits = String(repeating: "0aFf", count: 16)
        #expect(Checksum.sha256(digits).digest?.prefix(2) == .init([0x0A, 0xFF]))
        #expect(Checksum.sha512(digits + digits).digest?.count == 64)
        for text in [
            "", "0", String(digits.dropLast()), digits + "0", String(repeating: "0g", count: 32), String(repeating: "é0", count: 32),
        ] {
            #expect(Checksum.sha256(text).digest == nil, "\(text)")
        }
    }
}
