import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("CurlTransport.Configuration: refused values", .timeLimit(.minutes(5)))
struct ConfigurationCheckTests {
    private func problem(on version: CurlVersion = CurlVersion(7, 88, 1), _ change: (inout CurlTransport.Configuration) -> Void)
        -> HTTPError?
    {
        var configuration = CurlTransport.Configuration()
        change(&configuration)
        do {
            try configuration.check(for: version)
            return nil
        } catch { return error }
    }

    @Test("A value that the installed libcurl is too old for is an error that names the needed version")
    func versions() throws {
        let old = CurlVersion.oldestSupported
        let identity = try ClientIdentity(.pkcs12(Data(), password: ""), hosts: ["*"])
        #expect(problem(on: old) { _ in } == nil)
        let settings: [(String, (inout CurlTransport.Configuration) -> Void)] = [
            ("7.77.0", { $0.tls.trust = .certificates(Data("x".utf8)) }),
            ("7.71.0", { $0.tls.clientIdentities = [identity] }),
            ("7.80.0", { $0.maxConnectionAge = .seconds(1) }),
        ]
        for (version, change) in settings {
            let error = problem(on: old, change)
            guard case .engineUnavailable = error else { Issue.record("\(String(describing: error))"); continue }
            #expect("\(String(describing: error))".contains(version))
            #expect(problem(change) == nil)
        }
    }

    @Test("Invalid addresses, host names and socket paths are rejected")
    func values() {
        let changes: [(inout CurlTransport.Configuration) -> Void] = [
            { $0.resolve = ["a": []] }, { $0.resolve = ["": ["127.0.0.1"]] }, { $0.resolve = ["a": ["127.0.0.1,b:80:1"]] },
            { $0.resolve = ["a": ["localhost"]] }, { $0.resolve = ["a": [""]] }, { $0.unixSocket = "" },
            { $0.resolve = ["a": ["1.2.3"]] }, { $0.resolve = ["a": ["...."]] }, { $0.resolve = ["a": ["999.1.1.1"]] },
            { $0.resolve = ["a.example.": ["127.0.0.1"]] }, { $0.resolve = ["bücher.example": ["127.0.0.1"]] },
            { $0.resolve = ["*": ["127.0.0.1"]] }, { $0.resolve = ["a:80": ["127.0.0.1"]] },
            { $0.resolve = ["a.example": ["127.0.0.1"], "A.example": ["127.0.0.2"]] },
            { $0.unixSocket = String(repeating: "x", count: 108) }, { $0.unixSocket = "/a\u{0}b" },
        ]
        for change in changes {
            guard case .invalidRequest = problem(change) else {
                Issue.record("\(String(describing: problem(change)))")
                continue
            }
        }
        #expect(problem { $0.resolve = ["a.example": ["127.0.0.1", "::1", "[::1]"]] } == nil)
        #expect(problem { $0.unixSocket = "/run/some.sock" } == nil)
    }

    @Test("A transport with an invalid configuration can be created, and each request fails")
    func requests() async {
        var configuration = CurlTransport.Configuration()
        configuration.resolve = ["a.example": ["nowhere"]]
        let error = await CurlTransport(configuration).failure(of: HTTPRequest(url: URL(string: "http://a.example")!))
        guard case .invalidRequest = error else { Issue.record("\(String(describing: error))"); return }
    }
}
