#if os(Linux)
@testable import MartletMockServer
import Martlet
import Testing

import MartletTesting

#if os(Linux)
/// Tests the errors for a missing or wrong OpenSSL library.
@Suite(.timeLimit(.minutes(5))) struct OpenSSLTests {
    @Test(
        "A library that is missing or is not OpenSSL throws a typed error that names the package",
        arguments: ["libnothing.so.9", "libc.so.6"])
    func missing(name: String) {
        let error = #expect(throws: HTTPError.self) { try OpenSSL(names: [name]) }
        guard case .engineUnavailable(let explanation) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(explanation.text.contains("libssl3"))
        #expect(explanation.text.contains(name == "libc.so.6" ? "has no OPENSSL_init_ssl" : "tried libnothing.so.9"))
    }
}
#endif
#endif
