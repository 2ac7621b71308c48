import Foundation
import Martlet
import MartletURLSession

/// Readers of fields.
enum FieldChecks {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func link(_ bytes: [UInt8]) {
        let base = URL(string: "https://a.example/dir/page?x=1")
        for link in WebLink.read(text(bytes), from: base) {
            promise(link.relations.allSatisfy { !$0.isEmpty && !$0.contains(" ") }, "a relation that is none: \(link.relations)")
            if let url = link.url { promise(url.scheme != nil, "a target that is not absolute: \(url)") }
        }
    }

    static func contentDisposition(_ bytes: [UInt8]) {
        guard let disposition = ContentDisposition(text(bytes)) else { return }
        promise(!disposition.type.isEmpty, "a disposition without a type")
        guard let name = disposition.safeFilename else { return }
        promise((1...255).contains(name.utf8.count), "a name of \(name.utf8.count) bytes")
        promise(!name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x2F || $0 == 0x5C }, "a name that leaves its folder: \(name)")
        promise(name.utf8.first != UInt8(ascii: "."), "a name that hides: \(name)")
    }

    static func contentRange(_ bytes: [UInt8]) {
        guard let range = ContentRange(text(bytes)) else { return }
        if let bounds = range.bounds, let total = range.total { promise(bounds.upperBound < total, "a range beyond the whole") }
    }

    static func digests(_ bytes: [UInt8]) { _ = DigestField(text(bytes).split(separator: "\n").map(String.init)) }

    static func httpDate(_ bytes: [UInt8]) {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        guard let date = HTTPDate(text(bytes), now: now) else { return }
        promise(HTTPDate(date.description, now: now) == date, "a date that is not read as it is written: \(date)")
    }

    static func mediaType(_ bytes: [UInt8]) {
        guard let type = MediaType(text(bytes)) else { return }
        promise(MediaType(type.description) == type, "a media type that is not read as it is written: \(type)")
    }

    static func retryAfter(_ bytes: [UInt8]) {
        let fields: HTTPFields = [.retryAfter: text(bytes)]
        if let wait = fields.retryAfter(now: Date(timeIntervalSince1970: 0)) { promise(wait >= .zero, "a wait that is negative") }
    }

    static func cookies(_ bytes: [UInt8]) {
        let joined = text(bytes), lines = SetCookieLines.split(joined)
        // Apart from separators and white space at the cuts, nothing is lost or added.
        let kept = lines.reduce(0) { $0 + $1.utf8.count }
        promise(kept <= joined.utf8.count, "lines of cookies that are longer than what they were cut from")
    }
}
