import Foundation
import Testing

@testable import MartletHTTP

@Suite("HTTPResponse", .timeLimit(.minutes(5)))
struct HTTPResponseTests {
    private let request = HTTPRequest(url: URL(string: "https://h/x")!)

    @Test("A version is printed as in a status line, alone and in metadata")
    func version() {
        var metadata = ResponseMetadata()
        metadata.version = .http2
        #expect("\(HTTPVersion.http2)" == "HTTP/2" && String(describing: HTTPVersion.http11) == "HTTP/1.1")
        #expect("\(metadata)" == "HTTP/2" && metadata.version.map { "\($0)" } == "HTTP/2")
    }

    @Test("Equality compares status, fields and body, but not metadata")
    func equality() {
        let response = HTTPResponse(status: .ok, headers: ["A": "1"], body: "x")
        var other = response
        other.metadata.request = request
        other.metadata.version = .http2
        #expect(response == other)
        #expect(response != HTTPResponse(status: .created, headers: ["A": "1"], body: "x"))
        #expect(response != HTTPResponse(status: .ok, headers: ["A": "2"], body: "x"))
        #expect(response != HTTPResponse(status: .ok, headers: ["A": "1"], body: "y"))
    }

    @Test("Mapping changes the body and keeps the rest")
    func mapping() {
        var response = HTTPResponse(status: .notFound, headers: ["A": "1"], body: "12")
        response.metadata.request = request
        response.metadata.trailers = ["T": "1"]
        let mapped = response.map { Int($0) }
        #expect(mapped == HTTPResponse(status: .notFound, headers: ["A": "1"], body: 12))
        #expect(mapped.metadata.request?.url == request.url)
        #expect(mapped.metadata.trailers == ["T": "1"])
    }

    @Test("Mapping throws the error of its closure, with its type")
    func mappingErrors() {
        let response = HTTPResponse(status: .ok, body: "x")
        #expect(throws: HTTPError.timeout) { try response.map { (_: String) throws(HTTPError) -> Int in throw .timeout } }
    }

    @Test("The response's URL is that of the request, or nil without one")
    func url() {
        var metadata = ResponseMetadata()
        #expect(metadata.url == nil)
        #expect(metadata.redirects.isEmpty)
        metadata.request = request
        #expect(metadata.url == request.url)
        metadata.request = nil
        #expect(metadata.url == nil)
    }

    @Test("The request and the timings are set independently of each other")
    func independence() {
        var metadata = ResponseMetadata()
        metadata.request = request
        metadata.record(.init(total: .seconds(1)), remoteAddress: "127.0.0.1", isConnectionReused: true)
        #expect(metadata.url == request.url && metadata.timings?.total == .seconds(1))
        metadata.request = nil
        #expect(!metadata.hasRequest && metadata.remoteAddress == "127.0.0.1" && metadata.isConnectionReused == true)
    }

    @Test("Changing the request of a copy leaves the original")
    func copies() {
        var metadata = ResponseMetadata()
        metadata.request = request
        var copy = metadata
        copy.request?.method = .put
        #expect(metadata.request?.method == .get)
        #expect(copy.request?.method == .put)
    }

    @Test("Timings, address and connection reuse are kept in the metadata and do not count for equality")
    func details() {
        let response = HTTPResponse(status: .ok, body: "x")
        #expect(response.metadata.timings == nil)
        #expect(response.metadata.remoteAddress == nil)
        #expect(response.metadata.isConnectionReused == nil)
        var other = response
        other.metadata.timings = .init(connect: .milliseconds(3), total: .seconds(1))
        other.metadata.remoteAddress = "127.0.0.1"
        other.metadata.isConnectionReused = true
        #expect(response == other)
        #expect(response.metadata.remoteAddress == nil)
        #expect(other.metadata.timings?.connect == .milliseconds(3))
        #expect(other.metadata.timings?.total == .seconds(1))
        #expect(other.metadata.timings?.tls == nil)
        #expect(other.metadata.remoteAddress == "127.0.0.1")
        #expect(other.metadata.isConnectionReused == true)
        other.metadata.timings = nil
        #expect(other.metadata.remoteAddress == "127.0.0.1")
    }
}

@Suite("HTTPResponse: links", .timeLimit(.minutes(5)))
struct HTTPResponseLinksTests {
    private func response(_ fields: HTTPFields) -> HTTPResponse<Data> {
        var metadata = ResponseMetadata()
        metadata.request = HTTPRequest(url: URL(string: "https://h/a?page=1")!)
        return HTTPResponse(status: .ok, headers: fields, body: Data(), metadata: metadata)
    }

    @Test("The links of all fields are returned in order, resolved against the response's URL")
    func all() {
        let links = response(["Link": "<?page=2>; rel=next", "X": "y", "link": "<b>; rel=last, <c>"]).links
        #expect(links.map { $0.url?.absoluteString } == ["https://h/a?page=2", "https://h/b", "https://h/c"])
        #expect(response([:]).links.isEmpty)
    }

    @Test("The first link with a relation whose context is the response is found")
    func one() {
        let fields: HTTPFields = ["Link": "<x>; rel=next; anchor=\"/else\", <y>; rel=\"last NEXT\", <z>; rel=next"]
        #expect(response(fields).link("next")?.target == "y")
        #expect(response(fields).link("prev") == nil)
    }

    @Test("Without the response's URL, only absolute targets have a URL")
    func byHand() {
        let links = HTTPResponse(status: .ok, headers: ["Link": "<a>, <https://h/b>"], body: ()).links
        #expect(links.map { $0.url?.absoluteString } == [nil, "https://h/b"])
    }
}
