import CMartletCurl
import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("EasyOptions", .timeLimit(.minutes(5)))
struct EasyOptionsTests {
    private func options() throws -> EasyOptions {
        let functions = try CurlLibrary.shared.get().functions
        return EasyOptions(functions: functions, curl: try #require(functions.pointee.easy_init()))
    }

    @Test("The first option that libcurl rejects is kept until it is read")
    func refused() throws {
        let options = try options()
        defer { options.functions.pointee.easy_cleanup(options.curl) }
        options.set(CURLOPT_NOSIGNAL, 1)
        #expect(options.takeFault() == nil)
        options.set(9_999, 1)
        options.set(19_998, string: "x")
        guard case .engineUnavailable(let what) = options.takeFault() else { Issue.record("taken"); return }
        #expect(what.text.contains("9999"))
        #expect(options.takeFault() == nil)
        options.offer(9_999, 1)
        #expect(options.takeFault() == nil)
    }

    @Test("An invalid pin fails the request, and the next request without it is sent")
    func faultyHandle() async throws {
        let library = try CurlLibrary.shared.get()
        let setup = HandleSetup(library: library, configuration: .init(), trust: .builtIn)
        let handle = try #require(EasyHandle(setup, round: EngineRound()))
        #expect(handle.fault == nil)
        handle.options.set(9_999, 1)
        let request = OutgoingRequest(HTTPRequest(url: .init(filePath: "/")), url: "http://127.0.0.1/", route: Route())
        handle.prepare(request, upload: nil)
        guard case .engineUnavailable = handle.fault else { Issue.record("no fault"); return }
        handle.prepare(request, upload: nil)
        #expect(handle.fault == nil)
    }
}
