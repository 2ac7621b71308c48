import Foundation
import Testing

@testable import MartletHTTP

@Suite("WebLink: the Link field", .timeLimit(.minutes(5)))
struct WebLinkTests {
    private let base = URL(string: "https://api.example/v1/users?page=1#top")!

    private func targets(_ text: String) -> [String] { WebLink.read(text).map(\.target) }

    private func relations(_ text: String) -> [[String]] { WebLink.read(text).map(\.relations) }

    @Test("Several links in one field are read with relation and target (RFC 8288 §3)")
    func several() {
        let links = WebLink.read("</users?page=2>; rel=\"next\", <https://other.example/x>;rel=last", from: base)
        #expect(links.map(\.target) == ["/users?page=2", "https://other.example/x"])
        #expect(links.map { $0.url?.absoluteString } == ["https://api.example/users?page=2", "https://other.example/x"])
        #expect(links.map(\.relations) == [["next"], ["last"]])
    }

    @Test("Targets keep their escapes, with and without a base")
    func escapes() {
        let target = "https://api.example/x?page[number]=2&page[cursor]=abc%3D%3D"
        for base in [base, nil] {
            let link = WebLink.read("<\(target)>; rel=next", from: base).first
            #expect(link?.url?.absoluteString == "https://api.example/x?page%5Bnumber%5D=2&page%5Bcursor%5D=abc%3D%3D")
        }
    }

    @Test("Commas and semicolons in targets and quoted strings do not separate")
    func quoted() {
        let links = WebLink.read(#"<a,b;c>; title="one, two; <three> \"four\""; rel=next, <d>; rel=prev"#)
        #expect(links.map(\.target) == ["a,b;c", "d"])
        #expect(links.first?.title == #"one, two; <three> "four""#)
        #expect(links.first?.relations == ["next"])
    }

    @Test("One parameter may have several relations, compared without case; a second rel is ignored (RFC 8288 §3.3)")
    func severalRelations() {
        let link = WebLink.read(#"<x>; rel="NEXT  Last https://rel.example/X"; rel=first"#).first
        #expect(link?.relations == ["next", "last", "https://rel.example/x"])
        #expect(link?.isRelated(as: "Next") == true && link?.isRelated(as: "https://Rel.example/x") == true)
        #expect(link?.isRelated(as: "first") == false && link?.isRelated(as: "nex") == false)
        #expect(relations("<x>; REL = next , <y>;rel") == [["next"], []])
    }

    @Test("A decodable extended title takes precedence over the plain one (RFC 8288 §3.4.1, RFC 8187)")
    func titles() {
        #expect(WebLink.read("<x>; title=\"plain\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel").first?.title == "nächstes Kapitel")
        #expect(WebLink.read("<x>; title*=iso-8859-1'en'%A3%20rates").first?.title == "£ rates")
        for bad in ["UTF-8''%ff", "UTF-8''%4", "UTF-8''%+4", "utf-7''x", "plain", "UTF-8'x"] {
            #expect(WebLink.read("<x>; title*=\(bad); title=\"plain\"; rel=next").first?.title == "plain")
        }
    }

    @Test("A link whose anchor is another resource is not the response's own (RFC 8288 §3.2)")
    func anchors() {
        let links = WebLink.read("<x>; rel=next; anchor=\"/other\", <y>; anchor=\"/v1/users?page=1\"; rel=next, <z>; rel=next", from: base)
        #expect(links.map(\.isOwn) == [false, true, true])
        #expect(links.first?.anchor == "https://api.example/other")
        #expect(WebLink.read("<x>; anchor=\"#part\"", from: base).first?.isOwn == false)
        #expect(WebLink.read("<x>; anchor=\"/y\"").first?.isOwn == false)
    }

    @Test("Malformed links do not affect others")
    func malformed() {
        #expect(targets("nonsense, <a>; rel=next") == ["a"])
        #expect(targets("<unclosed, <a>; rel=next") == ["a"])
        #expect(targets(",, ,<a>,;rel=x,<b>") == ["a", "b"])
        #expect(relations("<a>; rel=\"next, <b>; rel=prev") == [[], ["prev"]])
        #expect(relations("<a> rel=next, <b>; rel=prev") == [[], ["prev"]])
        #expect(relations("<a>;;; =x; b@d=1; rel=next;") == [["next"]])
        #expect(targets("\"<a>; rel=next\", <b>") == ["b"])
        #expect(targets("<") == [] && targets("") == [] && targets("<>") == [""])
    }

    @Test("An invalid target has no URL, and a relative one has none without a base")
    func targets() {
        #expect(WebLink.read("<x>; rel=next").first?.url == nil)
        #expect(WebLink.read("<https://h/x>; rel=next").first?.url?.absoluteString == "https://h/x")
        #expect(WebLink.read("<a\u{1}b>", from: base).first?.url == nil)
        for (target, url) in [("", "https://api.example/v1/users?page=1"), ("?page=2", "https://api.example/v1/users?page=2")] {
            #expect(WebLink.read("<\(target)>", from: base).first?.url?.absoluteString == url)
        }
        for (target, url) in [("../b", "https://api.example/b"), ("//h/c", "https://h/c"), (" d ", "https://api.example/v1/d")] {
            #expect(WebLink.read("<\(target)>", from: base).first?.url?.absoluteString == url)
        }
    }

    @Test("Parameters keep their order, and the media type is read")
    func parameters() {
        let link = WebLink.read("<x>; HrefLang=de; flag; type=\"text/html; charset=utf-8\"").first
        #expect(link?.parameters.map(\.name) == ["hreflang", "flag", "type"])
        #expect(link?["Hreflang"] == "de" && link?["flag"] == "")
        #expect(link?.type?.subtype == "html")
    }

    @Test("Every byte of a field is read at most twice")
    func hostile() {
        // A quadratic implementation would take hours.
        for piece in ["<", "\"", "<a>;", ",", "<a>;x=\"", "\\\"", "<a>;t=\"\\", "><", ";", "="] {
            _ = WebLink.read(String(repeating: piece, count: 200_000 / piece.count))
        }
        let names = (0..<100_000).map(String.init).joined(separator: " ")
        #expect(WebLink.read("<a>;rel=\"\(names)\"").first?.relations.count == 100_000)
        #expect(WebLink.read(String(repeating: "<a>;rel=x,", count: 10_000)).count == 10_000)
    }
}
