internal import MartletEssentials

/// A command: an array of words, each preceded by its length, so that the content of a word is never parsed.
struct RedisCommand: Sendable {
    enum Word: Sendable, ExpressibleByStringLiteral {
        case text(String)
        case data(Data)
        case number(Int64)

        init(stringLiteral value: String) { self = .text(value) }
    }

    private let words: [Word]

    init(_ words: [Word]) { self.words = words }

    init(_ words: Word...) { self.words = words }

    /// Creates a script call. The complete script is sent each time, because a restarted server has no stored scripts.
    init(script: String, keys: [String], arguments: [Word]) {
        words = ["EVAL", .text(script), .number(Int64(keys.count))] + keys.map(Word.text) + arguments
    }

    func append(to bytes: inout [UInt8]) {
        bytes += "*\(words.count)\r\n".utf8
        for word in words {
            switch word {
            case .text(let text): RedisCommand.append(text.utf8, to: &bytes)
            case .number(let number): RedisCommand.append("\(number)".utf8, to: &bytes)
            case .data(let data):
                bytes += "$\(data.count)\r\n".utf8
                data.withUnsafeBytes { bytes.append(contentsOf: $0) }
                bytes += "\r\n".utf8
            }
        }
    }

    private static func append(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes += "$\(content.count)\r\n".utf8
        bytes += content
        bytes += "\r\n".utf8
    }
}
