import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletInspector

@Suite("The inspector's server", .timeLimit(.minutes(5)))
struct InspectorSiteTests {
    private func status(_ url: URL, _ headers: HTTPFields = [:]) async throws -> Int {
        let request = HTTPRequest(method: .get, url: url, headers: headers)
        return try await ownTransport().send(request).status.rawValue
    }

    @Test("Other hosts, origins and sites are refused, and a path without the token is not found")
    func refusals() async throws {
        let inspector = try await Inspector.start()
        let calls = inspector.url.appending(path: "calls"), port = inspector.url.port!
        #expect(try await status(calls) == 200)
        #expect(try await status(calls, ["Origin": "http://127.0.0.1:\(port)", "Sec-Fetch-Site": "same-origin"]) == 200)
        #expect(try await status(calls, ["Host": "evil.example:\(port)"]) == 403)
        #expect(try await status(calls, ["Origin": "http://evil.example"]) == 403)
        #expect(try await status(calls, ["Origin": "null"]) == 403)
        #expect(try await status(calls, ["Sec-Fetch-Site": "cross-site"]) == 403)
        #expect(try await status(URL(string: "http://127.0.0.1:\(port)/calls")!) == 404)
        #expect(try await status(URL(string: "http://127.0.0.1:\(port)/\(String(repeating: "0", count: 48))/calls")!) == 404)
        #expect(try await status(inspector.url.appending(path: "../Package.swift")) == 404)
        await inspector.stop()
    }

    @Test("Every file of the page is in the library")
    func files() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/MartletInspector/Page")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.standardizedFileURL.path)
        #expect(Set(names) == Set(PageFiles.files.keys))
        for name in names { #expect(PageFiles.file(name)?.bytes == (try Data(contentsOf: folder.appending(path: name)))) }
    }
}
