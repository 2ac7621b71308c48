#if os(Linux)
import MartletOpenSSL
import MartletSystem
import Testing

@Suite("OpenSSL", .timeLimit(.minutes(5)))
struct OpenSSLTests {
    @Test("A library that is missing or is not OpenSSL is an error that names it", arguments: ["libnothing.so.9", "libc.so.6"])
    func missing(name: String) {
        let error = #expect(throws: SystemLibrary.Unusable.self) { try OpenSSL(names: [name]) }
        let expected = name == "libc.so.6" ? "libc.so.6 has no OPENSSL_init_ssl" : "OpenSSL is not installed (tried libnothing.so.9)"
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }

    @Test("A library that is not OpenSSL does not end the search", .enabled(if: (try? OpenSSL.shared.get()) != nil))
    func search() throws {
        _ = try OpenSSL(names: ["libc.so.6", "libssl.so.3", "libssl.so.1.1"])
    }
}
#endif
