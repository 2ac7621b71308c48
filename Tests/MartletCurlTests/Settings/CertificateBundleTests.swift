import Testing

@testable import MartletCurl

@Suite("CertificateBundle", .timeLimit(.minutes(5)))
struct CertificateBundleTests {
    @Test("takes the first file that can be read")
    func first() {
        #expect(CertificateBundle.first(of: ["/nothing/here.pem", "/etc/hostname", "/etc/passwd"]) == "/etc/hostname")
        #expect(CertificateBundle.first(of: ["/nothing/here.pem"]) == nil)
    }
}
