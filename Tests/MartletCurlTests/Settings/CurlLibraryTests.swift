import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("CurlLibrary", .timeLimit(.minutes(5)))
struct CurlLibraryTests {
    @Test("The error for a missing library names the package to install")
    func missing() {
        let error = #expect(throws: HTTPError.self) { try CurlLibrary(names: ["libnothing-of-the-kind.so.4", "libnothing.so"]) }
        guard case .engineUnavailable(let what) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what.text.contains("libcurl4"))
        #expect(what.text.contains("libnothing-of-the-kind.so.4"))
    }

    @Test("A library that is not libcurl is rejected")
    func wrongLibrary() {
        let error = #expect(throws: HTTPError.self) { try CurlLibrary(names: ["libc.so.6"]) }
        #expect(error?.description.contains("curl_global_init") == true)
    }

    @Test("A version that is too old is rejected, and the error names the oldest supported version")
    func tooOld() throws {
        let error = #expect(throws: HTTPError.self) { try CurlLibrary(names: ["libcurl.so.4"], atLeast: CurlVersion(99, 1, 0)) }
        #expect(error?.description.contains("is too old: 99.1.0 or later is needed") == true)
        #expect(error?.description.contains("libcurl4") == true)
    }

    @Test("A library that is not libcurl does not end the search, as when a file with its name is beside the program")
    func foreignLibrary() throws {
        #expect(try CurlLibrary(names: ["libc.so.6", "libcurl.so.4"]).version >= .oldestSupported)
    }

    @Test("libcurl is also found under its second file name")
    func secondName() throws {
        #expect(try CurlLibrary(names: ["libnothing.so", "libcurl.so.4"]).version >= .oldestSupported)
    }

    @Test("Without libcurl, a transport can be created, and each request fails with the reason")
    func transportWithoutLibrary() async throws {
        let transport = CurlTransport(.failure(.engineUnavailable("no libcurl")), .init())
        await #expect(throws: HTTPError.engineUnavailable("no libcurl")) {
            try await transport.send(HTTPRequest(url: URL(string: "http://127.0.0.1:1/")!))
        }
    }

    @Test("A version is read from its number")
    func version() {
        #expect(CurlVersion(number: 0x075801).description == "7.88.1")
        #expect(CurlVersion(number: 0x075801) == CurlVersion(7, 88, 1))
        #expect(CurlVersion(7, 100, 0) < CurlVersion(8, 0, 0))
    }
}
