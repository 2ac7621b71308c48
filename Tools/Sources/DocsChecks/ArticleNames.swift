import Foundation

/// The names of articles in texts that cannot link to them, because the module of the article comes later.
package enum ArticleNames {
    /// Returns a problem for each name that is not the title of a document. A name is in quotes, in a sentence with the word “article”.
    package static func problems(in documents: [String: String]) -> [String] {
        let titles = Set(documents.values.map { $0.prefix { $0 != "\n" }.drop { "# ".contains($0) } })
        return documents.sorted { $0.key < $1.key }.flatMap { path, text in
            names(in: text).filter { !titles.contains($0) }.map { "\(path): no article has the title “\($0)”" }
        }
    }

    private static func names(in text: String) -> [Substring] {
        let prose = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        let sentences = prose.joined().replacingOccurrences(of: "\n", with: " ").components(separatedBy: ". ")
        return sentences.filter { $0.contains(" article") }.flatMap { sentence in
            sentence.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }
    }
}
