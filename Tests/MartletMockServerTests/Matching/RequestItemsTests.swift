import Foundation
import MartletTesting
import Testing

@Suite("RequestItems", .timeLimit(.minutes(5))) struct RequestItemsTests {
    let items = RequestSnapshot(url: "/?page=2&tag=b+c&flag&tag=%C3%BC%2B&empty=&token=s3cret").query

    @Test("Decoded items are found by name: the first or all")
    func names() {
        #expect(items["page"] == "2" && items["tag"] == "b c" && items.values(for: "tag") == ["b c", "ü+"])
        #expect(items["flag"] == "" && items["empty"] == "" && items["Page"] == nil && items.values(for: "none") == [])
    }

    @Test("Items are a collection in the order of the request")
    func collection() {
        #expect(items.map(\.name) == ["page", "tag", "flag", "tag", "empty", "token"] && items.count == 6)
        #expect(items[2] == URLQueryItem(name: "flag", value: nil) && items[4] == URLQueryItem(name: "empty", value: ""))
    }

    @Test("Two collections are equal if they have the same items in any order")
    func equality() {
        let query = RequestSnapshot(url: "/?b=2&a=1&b=1").query
        #expect(query == ["a": "1", "b": "1", "b": "2"] && query.encoded == "b=2&a=1&b=1")
        #expect(query != ["a": "1", "b": "1"] && query != ["a": "1", "b": "1", "b": "3"] && query != [:])
        #expect(RequestSnapshot(url: "/").query == [:] && RequestSnapshot(url: "/?").query == [:])
        let expected: RequestItems = ["a b": "ü&="]
        #expect(RequestSnapshot(url: "/?\(expected.encoded ?? "")").query == expected)
    }

    @Test("Descriptions mask secrets")
    func description() {
        #expect("\(items)" == "page=2&tag=b c&flag&tag=ü+&empty=&token=‹redacted›")
        #expect(String(reflecting: items) == "\(items)" && Mirror(reflecting: items).children.isEmpty)
    }
}
