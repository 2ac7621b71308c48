import Foundation
import Martlet

/// Parsers of streams: however the bytes are cut into chunks, they find the same.
enum StreamChecks {
    /// The first byte says how the rest is cut.
    private static func chunks(_ bytes: [UInt8]) -> (whole: Data, chunks: [Data]) {
        let size = 1 + Int(bytes.first ?? 0) % 7, content = Data(bytes.dropFirst())
        let chunks = stride(from: 0, to: content.count, by: size).map { content.dropFirst($0).prefix(size) }
        return (content, Array(chunks))
    }

    static func events(_ bytes: [UInt8]) {
        func read(_ chunks: [Data]) -> String {
            var parser = EventStreamParser(lastEventID: "", keepsComments: true, maxLineBytes: 64, maxEventBytes: 128)
            var found = ""
            for chunk in chunks {
                parser.push(chunk)
                while true {
                    do {
                        guard let item = try parser.next() else { break }
                        found += "\(item)|"
                    } catch { return found + "\(error)" }
                }
            }
            return found + "\(parser.lastEventID)|\(String(describing: parser.reconnectionTime))"
        }
        let (whole, chunks) = chunks(bytes)
        promise(read([whole]) == read(chunks), "events differ by the chunks they come in")
    }

    static func multipart(_ bytes: [UInt8]) {
        func read(_ chunks: [Data]) -> String {
            guard var parser = MultipartParser(boundary: "b", limits: MultipartLimits(headBytes: 128, parts: 8)) else { return "" }
            var found = ""
            var content = Data()
            for chunk in chunks + [nil] as [Data?] {
                var tokens: [MultipartToken] = []
                var failure: (any Error)?
                do { if let chunk { try parser.feed(chunk, into: &tokens) } else { try parser.finish() } } catch { failure = error }
                for token in tokens {
                    if case .content(let more) = token {
                        promise(!more.isEmpty, "a part's content in no bytes")
                        content += more
                    } else {
                        found += "\(content.base64EncodedString()) \(token)|"
                        content = Data()
                    }
                }
                // How much of a part came before it turned out to be broken may differ.
                if let failure { return found + "\(failure)" }
            }
            return found
        }
        let (whole, chunks) = chunks(bytes)
        promise(read([whole]) == read(chunks), "parts differ by the chunks they come in")
    }

    static func lines(_ bytes: [UInt8]) {
        func read(_ chunks: [Data]) -> [Data] {
            var splitter = LineSplitter(.line, limit: 32), found: [Data] = []
            for chunk in chunks {
                splitter.push(chunk)
                do { while let line = try splitter.next() { found.append(line) } } catch { return found }
            }
            return found + [splitter.finish() ?? Data()]
        }
        let (whole, chunks) = chunks(bytes)
        promise(read([whole]) == read(chunks), "lines differ by the chunks they come in")
    }
}
