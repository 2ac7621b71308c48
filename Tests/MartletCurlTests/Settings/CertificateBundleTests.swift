import Testing

@testable import MartletCurl

@Suite("CertificateBundle", .timeLimit(.minutes(5)))
struct CertificateBundleTests {
    @Test("The first readable file is used")
    func first() {
        #expect(CertificateBundle.first(of: ["/nothing/here.pem", "/etc/hostname", "/etc/passwd"]) == "/etc/hostname")
        #expect(CertificateBundle.first(of: ["/nothing/here.pem"]) == nil)
    }
}
