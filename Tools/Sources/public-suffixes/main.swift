// Writes the table of public suffixes as Swift source to standard output: public-suffixes FILE
import Foundation

struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Returns a domain in the form that requests have: in lower case, with A-labels (RFC 5890 §2.3.2.1).
func asciiForm(_ domain: Substring) throws -> String {
    if domain.utf8.allSatisfy({ $0 < 0x80 }) { return domain.lowercased() }
    guard let host = URL(string: "http://\(domain)/")?.host, host.utf8.allSatisfy({ $0 < 0x80 }) else {
        throw Failure(description: "\(domain) has no A-label form")
    }
    return host
}

/// Returns the labels with rules by the domain that they are directly below; "" for top-level domains.
func children(of list: String) throws -> (rules: [String: Set<String>], depth: Int) {
    var rules: [String: Set<String>] = [:]
    var depth = 0
    for line in list.split(whereSeparator: \.isNewline) where !line.hasPrefix("//") {
        // A rule ends at the first white space.
        guard var rule = line.split(whereSeparator: \.isWhitespace).first else { continue }
        let mark = rule.hasPrefix("!") ? "!" : rule.hasPrefix("*.") ? "*" : ""
        rule = rule.dropFirst(mark == "*" ? 2 : mark.count)
        let domain = try asciiForm(rule)
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty && !$0.contains("*") }) else { throw Failure(description: "unknown rule: \(line)") }
        depth = max(depth, labels.count + (mark == "*" ? 1 : 0))
        if mark == "*" {
            rules[domain, default: []].insert("*")
        } else {
            rules[labels.dropFirst().joined(separator: "."), default: []].insert(mark + labels[0])
        }
    }
    return (rules, depth)
}

/// Returns a text as the lines of a string literal, of which only the last ends without a backslash.
func literal(_ text: String) -> String {
    var lines: [String] = [], line = ""
    for character in text {
        let piece = character == "\n" ? "\\n" : String(character)
        if line.utf8.count + piece.utf8.count > 128 {
            lines.append("        " + line)
            line = ""
        }
        line += piece
    }
    lines.append("        " + line)
    return lines.joined(separator: "\\\n")
}

/// Returns an offset as four digits of five bits each.
func digits(_ offset: Int) -> String {
    let text = String(offset, radix: 32)
    return String(repeating: "0", count: 4 - text.count) + text
}

do {
    guard CommandLine.arguments.count == 2 else { throw Failure(description: "usage: public-suffixes FILE") }
    let list = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
    let version = list.split(separator: "\n").first { $0.hasPrefix("// VERSION: ") }?.dropFirst(12) ?? "unknown"
    let (rules, depth) = try children(of: list)
    guard rules.count > 100, rules[""]?.contains("com") == true else { throw Failure(description: "this is not the list") }
    var lines = "", offsets = ""
    for (domain, labels) in rules.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        offsets += digits(lines.utf8.count)
        lines += domain + " " + labels.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: " ") + "\n"
    }
    offsets += digits(lines.utf8.count)
    print(
        """
        // Written by `scripts/public-suffixes` from the Public Suffix List (https://publicsuffix.org/list/), version
        // \(version). Do not edit.
        //
        // This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
        // distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.

        /// The rules of the Public Suffix List, of its ICANN and its private division.
        enum PublicSuffixTable {
            /// The number of labels of the longest rule.
            static var depth: Int { \(depth) }

            /// A line for each domain that has rules directly below it, in the order of their bytes: the domain, and the labels in the
            /// order of their bytes. `!` marks an exception.
            static var lines: StaticString {
                \"\"\"
        \(literal(lines))
                \"\"\"
            }

            /// The offset of each line and of the end of the last, as four digits of five bits each.
            static var offsets: StaticString {
                \"\"\"
        \(literal(offsets))
                \"\"\"
            }
        }
        """)
} catch {
    FileHandle.standardError.write(Data("public-suffixes: \(error)\n".utf8))
    exit(1)
}
