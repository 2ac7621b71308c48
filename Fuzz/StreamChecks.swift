import Foundation

@testable import Martlet
@testable import MartletHTTP
@testable import MartletTransfers

/// Checks that stream parsers find the same items however the bytes are split into chunks.
enum StreamChecks {
    /// Splits the bytes into chunks whose size the first byte determines.
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
        promise(read([whole]) == read(chunks), "the parsed events depend on how the bytes are split into chunks")
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
                        promise(!more.isEmpty, "a content token of a part is empty")
                        content += more
                    } else {
                        found += "\(content.base64EncodedString()) \(token)|"
                        content = Data()
                    }
                }
                // How much of a part is delivered before the error may depend on the chunks.
                if let failure { return found + "\(failure)" }
            }
            return found
        }
        let (whole, chunks) = chunks(bytes)
        promise(read([whole]) == read(chunks), "the parsed parts depend on how the bytes are split into chunks")
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
        promise(read([whole]) == read(chunks), "the parsed lines depend on how the bytes are split into chunks")
    }
}
