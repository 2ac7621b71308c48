#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a multipart body consists of (RFC 2046 §5.1.1), for hiding its secrets: also when it was declared to be something else, its
/// boundary is not the one that was declared, or its lines end without a CR.
struct MultipartPieces {
    enum Kind {
        /// A line with the boundary, the line end before it, and an empty line.
        case boundary
        /// A field of a part.
        case field
        case content(Part)
        /// What stands before the first part and after the last.
        case text
    }

    /// What the head of a part says.
    struct Part {
        var names: [String] = []
        var type = ""

        /// Takes in a field of the head.
        mutating func read(_ line: String) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return }
            let value = String(parts[1].trimmingWhitespace)
            switch parts[0].lowercased() {
            case "content-type": type = value
            case "content-disposition":
                let disposition = MediaType("x/" + value)
                // RFC 5987 §3.2: charset, language and the name, percent-encoded.
                let extended = disposition?["name*"].map { PercentEncoding.unescapedText($0.split(separator: "'").last ?? "") }
                names += [disposition?["name"], extended].compactMap { $0 }
            default: break
            }
        }
    }

    let bytes: [UInt8]
    /// In their order, and none is left out.
    private(set) var all: [(kind: Kind, range: Range<Int>)] = []

    /// - Returns: nil when the body has no parts.
    init?(_ body: Data, boundary: String?) {
        guard body.firstRange(of: Data("--".utf8)) != nil else { return nil }
        bytes = Array(body)
        let lines = MultipartPieces.lines(bytes)
        guard let mark = MultipartPieces.mark(boundary, lines, bytes) else { return nil }
        var part: Part?
        var isHead = false
        for line in lines {
            let text = bytes[line]
            if text.starts(with: mark) {
                takeLineEnd(isOfContent: part != nil && !isHead)
                let isLast = text.dropFirst(mark.count).starts(with: "--".utf8)
                (part, isHead) = (isLast ? nil : Part(), !isLast)
                append(.boundary, line)
            } else if isHead, text.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
                isHead = false
                append(.boundary, line)
            } else if isHead {
                part?.read(String(decoding: text, as: UTF8.self).filter { !$0.isNewline })
                append(.field, line)
            } else {
                extend(part.map { .content($0) } ?? .text, line)
            }
        }
    }

    private mutating func append(_ kind: Kind, _ range: Range<Int>) { all.append((kind, range)) }

    /// Adds a line to the content or text that it continues.
    private mutating func extend(_ kind: Kind, _ line: Range<Int>) {
        switch all.last?.kind {
        case .content, .text: all[all.count - 1].range = all[all.count - 1].range.lowerBound..<line.upperBound
        default: append(kind, line)
        }
    }

    /// The line's end before a boundary belongs to the boundary.
    private mutating func takeLineEnd(isOfContent: Bool) {
        guard isOfContent, let last = all.last, case .content = last.kind else { return }
        let content = bytes[last.range]
        let end = content.suffix(2).elementsEqual([0x0D, 0x0A]) ? 2 : content.last == 0x0A ? 1 : 0
        guard end > 0 else { return }
        all[all.count - 1].range = last.range.lowerBound..<last.range.upperBound - end
        append(.boundary, last.range.upperBound - end..<last.range.upperBound)
    }

    /// What lines with the boundary begin with: the declared one, or else that of a line which a field `Content-…` follows.
    private static func mark(_ boundary: String?, _ lines: [Range<Int>], _ bytes: [UInt8]) -> [UInt8]? {
        if let boundary, !boundary.isEmpty {
            let mark = Array("--\(boundary)".utf8)
            if lines.contains(where: { bytes[$0].starts(with: mark) }) { return mark }
        }
        let found = zip(lines, lines.dropFirst()).first { line, next in
            bytes[line].starts(with: "--".utf8) && bytes[next].prefix(8).elementsEqual("content-".utf8) { Token.lowercased($0) == $1 }
        }
        guard let found else { return nil }
        let mark = bytes[found.0].filter { $0 != 0x0D && $0 != 0x0A }
        return mark.count > 2 ? mark : nil
    }

    private static func lines(_ bytes: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            lines.append(start..<end)
            start = end
        }
        return lines
    }
}
