import Foundation
import MartletHTTP
import Testing

@Suite("ClientIdentity", .timeLimit(.minutes(1)))
struct ClientIdentityTests {
    private func identity(_ hosts: String...) throws(HTTPError) -> ClientIdentity {
        try ClientIdentity(.pkcs12(Data("x".utf8), password: "p"), hosts: hosts)
    }

    @Test("An identity without hosts is refused, because it would be ambiguous")
    func none() {
        let error = #expect(throws: HTTPError.self) { try identity() }
        guard case .invalidRequest = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test(
        "An invalid host name is refused",
        arguments: ["", ".", "*.", "**", "https://api.example", "a.*.example", "*api.example", "api.example/x", ".example.com", "a b"])
    func names(host: String) {
        #expect(throws: HTTPError.self) { try identity("api.example", host) }
    }

    @Test("Only matching hosts are included; a leading asterisk matches every name below, and * matches every host")
    func matching() throws {
        let named = try identity("API.example.com", "*.internal.example")
        #expect(named.hosts == ["api.example.com", "*.internal.example"])
        for host in ["api.example.com", "Api.Example.com.", "db.internal.example"] { #expect(named.includes(host), "\(host)") }
        for host in ["example.com", "internal.example", "evil.example", "api.example.com.evil.example", "xapi.example.com"] {
            #expect(!named.includes(host), "\(host)")
        }
        #expect(try identity("*").includes("any.example") && identity("*").includes("::1"))
    }
}
