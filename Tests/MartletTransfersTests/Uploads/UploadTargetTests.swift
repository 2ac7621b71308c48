import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("UploadTarget", .timeLimit(.minutes(5)))
struct UploadTargetTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// Returns the target that a response names, whose request was redirected by these origins.
    private func target(_ location: String, from source: String, after passed: [Origin] = []) throws -> UploadTarget {
        var request = HTTPRequest(method: .post, url: try url(source))
        request.context.passedOrigins = passed
        var response = HTTPResponse(status: .created, body: ())
        response.metadata.request = request
        return UploadTarget(try url(location), namedBy: response, from: try url(source))
    }

    @Test("Without a redirect, an upload at the creation's origin is its own, and another one is foreign")
    func direct() throws {
        let own = try target("https://a.example:443/u", from: "https://a.example/files")
        #expect(!own.isForeign && own.passed == [])
        for location in ["https://b.example/u", "https://a.example:8443/u"] {
            let other = try target(location, from: "https://a.example/files")
            #expect(other.isForeign && other.passed == ["https://a.example"])
        }
    }

    @Test("An upload that another origin names after a redirect is foreign, also at the origin of the creation")
    func redirected() throws {
        let back = try target("https://a.example/any", from: "https://b.example/files", after: ["https://a.example"])
        #expect(back.isForeign && back.passed == ["https://a.example", "https://b.example"])
        let there = try target("https://b.example/u", from: "https://b.example/files", after: ["https://a.example"])
        #expect(there.isForeign && there.passed == ["https://a.example"])
    }

    @Test("An upload that the caller names is foreign at another origin than the creation's, or if that is unknown")
    func named() throws {
        let creation = HTTPRequest(method: .post, url: try url("https://a.example/files"))
        #expect(!UploadTarget(try url("https://a.example/u"), namedFor: creation).isForeign)
        let other = UploadTarget(try url("https://b.example/u"), namedFor: creation)
        #expect(other.isForeign && other.passed == ["https://a.example"])
        let unknown = UploadTarget(try url("https://a.example/u"), namedFor: nil)
        #expect(unknown.isForeign && unknown.passed == [])
    }

    @Test("A later call may name an upload unless it would trust the URL more than the call that created it")
    func later() throws {
        let creation = HTTPRequest(method: .post, url: try url("https://a.example/files"))
        func isAllowed(_ location: String, from source: String, after passed: [Origin] = []) throws -> Bool {
            try target(location, from: source, after: passed).canBeNamedLater(for: creation)
        }
        #expect(try isAllowed("https://a.example/u", from: "https://a.example/files"))
        #expect(try isAllowed("https://b.example/u", from: "https://a.example/files"))
        #expect(try isAllowed("https://b.example/u", from: "https://b.example/files", after: ["https://a.example"]))
        #expect(try !isAllowed("https://a.example/u", from: "https://b.example/files", after: ["https://a.example"]))
        #expect(try !isAllowed("https://a.example/u", from: "https://a.example/2", after: ["https://a.example", "https://b.example"]))
        // Tokens may be for a and c, but not for b.
        #expect(try !isAllowed("https://c.example/u", from: "https://b.example/files", after: ["https://a.example"]))
        #expect(try !target("https://a.example/u", from: "https://b.example/", after: ["https://a.example"]).canBeNamedLater(for: nil))
    }

    @Test("A request to a foreign upload has neither credentials nor fields set by hand")
    func restricted() throws {
        let request = Request<Data>.post("files", headers: [.authorization: "Bearer t", "X-Own": "1", "X-App": "a", .accept: "*/*"])
        var own = AdjustedEndpoint(request), foreign = own
        try target("https://a.example/u", from: "https://a.example/files").restrict(&own, naming: ["X-App"])
        #expect(own.headers.count == 4 && own.options.context.passedOrigins == [])
        try target("https://a.example/u", from: "https://b.example/", after: ["https://a.example"]).restrict(&foreign, naming: ["X-App"])
        #expect(foreign.headers == ["X-App": "a", .accept: "*/*"])
        #expect(foreign.options.context.passedOrigins == ["https://a.example", "https://b.example"])
    }

    @Test("After a redirect to another origin, the upload that it names gets no token and no own field, and can't be resumed later")
    func upload() async throws {
        let folder = try Folder(), file = folder.file("movie")
        try Data("abc".utf8).write(to: file)
        let transport = MockTransport { request in
            switch (request.method, request.url.host) {
            case (.post, "a.example"): .status(307, headers: [.location: "https://b.example/files"])
            case (.post, _): .status(201, headers: [.location: "https://a.example/any/path"])
            default: .status(204, headers: ["Upload-Offset": "3"])
            }
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://a.example/"), transport: transport, interceptors: [AuthInterceptor(AccessToken("t"))],
            configuration: .init(headers: ["X-Default": "1"]), time: ManualTime())
        let created = Recorder<URL>(), options = ResumableUploadOptions { created.append($0) }
        _ = try await client.uploadResumably(file, to: .post("files", headers: ["X-Vault-Token": "s"]), options: options)
        #expect(created.values.isEmpty)
        #expect(transport.requests.map(\.method) == [.post, .post, .patch])
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t", nil, nil])
        for name in ["X-Vault-Token", "X-Default"] as [HTTPFieldName] {
            #expect(transport.requests.map { $0.headers.contains(name) } == [true, false, false])
        }
        #expect(transport.requests.last?.context.passedOrigins == ["https://a.example", "https://b.example"])
    }
}
