import Foundation
import Testing

@testable import MartletHTTP

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
