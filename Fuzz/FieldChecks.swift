import Foundation

@testable import Martlet
@testable import MartletClient
@testable import MartletCookies
@testable import MartletHTTP
@testable import MartletURLSession

/// Checks the parsers of header fields.
enum FieldChecks {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func link(_ bytes: [UInt8]) {
        let base = URL(string: "https://a.example/dir/page?x=1")
        for link in WebLink.read(text(bytes), from: base) {
            promise(link.relations.allSatisfy { !$0.isEmpty && !$0.contains(" ") }, "an invalid relation: \(link.relations)")
            if let url = link.url { promise(url.scheme != nil, "a link target is not absolute: \(url)") }
        }
    }

    static func contentDisposition(_ bytes: [UInt8]) {
        guard let disposition = ContentDisposition(text(bytes)) else { return }
        promise(!disposition.type.isEmpty, "a disposition without a type")
        guard let name = disposition.safeFilename else { return }
        promise((1...255).contains(name.utf8.count), "a file name has \(name.utf8.count) bytes")
        promise(
            !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x2F || $0 == 0x5C },
            "a file name can leave its folder or contains control characters: \(name)")
        promise(name.utf8.first != UInt8(ascii: "."), "a file name is hidden: \(name)")
    }

    static func contentRange(_ bytes: [UInt8]) {
        guard let range = ContentRange(text(bytes)) else { return }
        if let bounds = range.bounds, let total = range.total { promise(bounds.upperBound < total, "a range exceeds the total length") }
    }

    static func digests(_ bytes: [UInt8]) { _ = DigestField(text(bytes).split(separator: "\n").map(String.init)) }

    static func httpDate(_ bytes: [UInt8]) {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        guard let date = HTTPDate(text(bytes), now: now) else { return }
        promise(HTTPDate(date.description, now: now) == date, "a written date parses as another date: \(date)")
    }

    static func mediaType(_ bytes: [UInt8]) {
        guard let type = MediaType(text(bytes)) else { return }
        promise(MediaType(type.description) == type, "a written media type parses as another one: \(type)")
    }

    static func retryAfter(_ bytes: [UInt8]) {
        let fields: HTTPFields = [.retryAfter: text(bytes)]
        if let wait = fields.retryAfter(now: Date(timeIntervalSince1970: 0)) {
            promise(wait >= .zero, "the wait of Retry-After is negative: \(wait)")
        }
    }

    static func cookies(_ bytes: [UInt8]) {
        let joined = text(bytes), lines = SetCookieLines.split(joined)
        // Only separators and white space between cookies may be removed; nothing may be added.
        let kept = lines.reduce(0) { $0 + $1.utf8.count }
        promise(kept <= joined.utf8.count, "the split cookie lines are longer than the input")
    }
}
