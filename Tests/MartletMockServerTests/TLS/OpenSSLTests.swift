#if os(Linux)
import Martlet
import MartletOpenSSL
import MartletSystem
import Testing

@testable import MartletMockServer

/// Tests the error of a server without OpenSSL.
@Suite(.timeLimit(.minutes(5))) struct OpenSSLTests {
    @Test("Without OpenSSL, a server with TLS throws a typed error that names the reason and the package")
    func missing() {
        let error = OpenSSL.unavailable(SystemLibrary.Unusable("OpenSSL is not installed (tried libssl.so.3)"))
        guard case .engineUnavailable(let explanation) = error else { Issue.record("\(error)"); return }
        #expect(explanation.text.contains("OpenSSL is not installed (tried libssl.so.3). MockServer needs it for TLS."))
        #expect(explanation.text.contains("libssl3"))
    }
}
#endif
