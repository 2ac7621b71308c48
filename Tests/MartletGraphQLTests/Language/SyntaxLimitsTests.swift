import Foundation
import MartletGraphQL
import MartletSystem
import Testing

@Suite("Syntax limits of documents", .timeLimit(.minutes(5)))
struct SyntaxLimitsTests {
    private func nested(_ open: String, _ inside: String, _ close: String, levels: Int) -> String {
        String(repeating: open, count: levels) + inside + String(repeating: close, count: levels)
    }

    private func problem(_ text: String, _ limits: SyntaxLimits = SyntaxLimits()) -> String? {
        SyntaxErrorCase(text, "").found(limits)
    }

    @Test("Two hundred levels of nesting parse, and one more is an error where it begins")
    func nesting() {
        let tooDeep = "expected at most 200 levels of nesting, found more"
        #expect(problem(nested("{a", "", "}", levels: 200)) == nil)
        #expect(problem(nested("{a", "", "}", levels: 201)) == "1:401: \(tooDeep)")
        #expect(problem(nested("{...", "{a}", "}", levels: 199)) == nil)
        #expect(problem(nested("{...", "{a}", "}", levels: 200)) == "1:801: \(tooDeep)")
        #expect(problem("{a(b:" + nested("[", "1", "]", levels: 198) + ")}") == nil)
        #expect(problem("{a(b:" + nested("[", "1", "]", levels: 199) + ")}") == "1:204: \(tooDeep)")
        #expect(problem("{a(b:" + nested("{c:", "1", "}", levels: 199) + ")}") == "1:600: \(tooDeep)")
        #expect(problem("query($a:" + nested("[", "A", "]!", levels: 200) + "){a}") == nil)
        #expect(problem("query($a:" + nested("[", "A", "]!", levels: 201) + "){a}") == "1:210: \(tooDeep)")
        #expect(problem(String(repeating: "{a", count: 1_000_000)) == "1:401: \(tooDeep)")
        #expect(problem("{a{b}}", SyntaxLimits(nesting: 1)) == "1:3: expected at most 1 levels of nesting, found more")
    }

    @Test("The deepest documents fit on a small stack")
    func stack() {
        let texts = [
            nested("{a", "", "}", levels: 200), nested("{...", "{a}", "}", levels: 199),
            "{a(b:" + nested("{c:", "1", "}", levels: 198) + ")}",
            "{a(b:" + nested("[", "$x", "]", levels: 198) + ")}",
        ]
        let failures = Locked<[String?]>([])
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            for text in texts {
                let found = SyntaxErrorCase(text, "").found
                failures.withLock { $0.append(found) }
                // Comparing and hashing visit the tree too.
                let trees = [try? ExecutableDocument.parse(text), try? ExecutableDocument.parse(text)]
                let isSame = trees[0] == trees[1] && trees[0]?.hashValue == trees[1]?.hashValue
                if !isSame { failures.withLock { $0.append("not the same") } }
            }
            done.signal()
        }
        // A sanitizer needs larger frames.
        thread.stackSize = 512 * 1024 * (ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] == nil ? 1 : 8)
        thread.start()
        done.wait()
        #expect(failures.withLock { $0 } == [nil, nil, nil, nil])
    }

    @Test("The maximum number of tokens parses, and one more is an error")
    func tokens() {
        #expect(problem("{a b}", SyntaxLimits(tokens: 4)) == nil)
        #expect(problem("{a b c}", SyntaxLimits(tokens: 4)) == "1:7: expected at most 4 tokens, found more")
        #expect(problem("{" + String(repeating: "a ", count: 99_998) + "}") == nil)
        #expect(problem("{" + String(repeating: "a ", count: 99_999) + "}") == "1:200000: expected at most 100000 tokens, found more")
    }
}

extension SyntaxErrorCase {
    /// The message with these limits, or nil if the document is valid.
    func found(_ limits: SyntaxLimits) -> String? {
        do throws(GraphQLSyntaxError) {
            _ = try ExecutableDocument.parse(text, limits: limits)
            return nil
        } catch {
            return error.description
        }
    }
}
