import Foundation
import MartletSystem
import Testing

@testable import MartletGraphQL

@Suite("DocumentParser", .timeLimit(.minutes(5)))
struct DocumentParserTests {
    private func selections(_ text: String) throws -> [Selection] {
        try ExecutableDocument.parse(text).operations[0].selectionSet.selections
    }

    private func field(_ selection: Selection) throws -> FieldSelection {
        guard case .field(let field) = selection else { throw GraphQLSyntaxError(message: "no field", line: 0, column: 0) }
        return field
    }

    @Test("Queries, mutations and subscriptions parse with and without a name, and queries in the short form (GraphQL §2.3)")
    func operations() throws {
        let text = "{a}query{a}query Q{a}mutation M{a}subscription S{a}query query{a}"
        let operations = try ExecutableDocument.parse(text).operations
        #expect(operations.map(\.kind) == [.query, .query, .query, .mutation, .subscription, .query])
        #expect(operations.map(\.name) == [nil, nil, "Q", "M", "S", "query"])
        #expect(operations.map(\.column) == [1, 4, 12, 22, 35, 52])
        #expect(operations.map(\.selectionSet.openBrace.offset) == [0, 8, 18, 31, 48, 62])
    }

    @Test(
        "Descriptions before operations, fragments and variables are accepted (GraphQL §2.2, §2.3, §2.8, §2.10)"
    )
    func descriptions() throws {
        let text =
            "\"\"\" Finds a hero. \"\"\" query Q(\"which\" $id: ID! \"\"\"how many\"\"\" $n: Int){...F} \"of it\" fragment F on Hero {name}"
        let document = try ExecutableDocument.parse(text)
        #expect(document.operations[0].variables.map(\.name) == ["id", "n"])
        #expect(document.fragments.map(\.name) == ["F"])
        #expect(document.operations[0].column == 23)
    }

    @Test("Variables have a type, a default and directives (GraphQL §2.10)")
    func variables() throws {
        let text = """
            query Q($a: Int, $b: [[ID!]!]! = [["x"], []], $c: Filter = {exact: true, tags: [null, NEW], limit: 1.50} @old @new(why: "x"))
            @cached(for: $a) { a }
            """
        let operation = try ExecutableDocument.parse(text).operations[0]
        #expect(operation.variables.map(\.type.description) == ["Int", "[[ID!]!]!", "Filter"])
        #expect(operation.variables[0].defaultValue == nil)
        #expect(operation.variables[1].defaultValue == .list([.list([.string("x")]), .list([])]))
        guard case .object(let members) = operation.variables[2].defaultValue else {
            Issue.record("not an object")
            return
        }
        #expect(members.map(\.name) == ["exact", "tags", "limit"])
        #expect(members.map(\.value) == [.boolean(true), .list([.null, .enumeration("NEW")]), .float("1.50")])
        #expect(members.map(\.place.column) == [61, 74, 93])
        #expect(operation.variables[2].directives.map(\.name) == ["old", "new"])
        #expect(operation.directives[0].arguments[0].value == .variable("a", SourcePlace(offset: 139, line: 2, column: 14)))
    }

    @Test("Fields have aliases, arguments, directives and nested fields (GraphQL §2.5 to §2.7)")
    func fields() throws {
        let found = try selections("{ small: pic(size: 64, at: {x: 1, y: [$y]}) @include(if: $with) @x { url } name }")
        let pic = try field(found[0]), name = try field(found[1])
        #expect(pic.alias == "small")
        #expect(pic.name == "pic")
        #expect(pic.responseKey == "small")
        #expect(pic.arguments.map(\.name) == ["size", "at"])
        #expect(pic.directives.map(\.name) == ["include", "x"])
        #expect(pic.selectionSet?.selections.count == 1)
        #expect(name.alias == nil)
        #expect(name.responseKey == "name")
        #expect(name.selectionSet == nil)
    }

    @Test("Fragments are spread by name, or inline with and without a type (GraphQL §2.8)")
    func fragments() throws {
        let text = "query($x:Int){...F@a ...on Hero@b{name} ...@include(if:$x){id} ...{age} ...onHero}fragment F on Hero@c(d:$x){name}"
        let document = try ExecutableDocument.parse(text)
        let found: [String] = document.operations[0].selectionSet.selections.map { selection in
            switch selection {
            case .field(let field): "field \(field.name)"
            case .spread(let spread): "spread \(spread.name) \(spread.directives.map(\.name)) \(spread.place.column)"
            case .inline(let fragment): "on \(fragment.typeCondition ?? "-") \(fragment.directives.map(\.name)) \(fragment.place.column)"
            }
        }
        #expect(found == [#"spread F ["a"] 15"#, #"on Hero ["b"] 22"#, #"on - ["include"] 41"#, "on - [] 64", "spread onHero [] 73"])
        #expect(document.fragments[0].typeCondition == "Hero")
        #expect(document.fragments[0].directives[0].arguments[0].name == "d")
    }

    @Test("Keywords are valid names where a name is expected (GraphQL §2.1.9)")
    func keywords() throws {
        let words = ["query", "mutation", "subscription", "fragment", "on", "true", "false", "null", "type", "__typename", "_"]
        for word in words {
            let text = "query \(word)($\(word): \(word)) @\(word)(\(word): $\(word)) { \(word): \(word)(\(word): {\(word): 1}) }"
            let operation = try ExecutableDocument.parse(text).operations[0]
            #expect(operation.name == word)
            #expect(try field(operation.selectionSet.selections[0]).responseKey == word)
        }
    }

    @Test(
        "A syntax error says what was expected, what was found, and where",
        arguments: [
            SyntaxErrorCase("", "1:1: expected an operation or a fragment, found the end of the document"),
            SyntaxErrorCase(" # nothing\n", "2:1: expected an operation or a fragment, found the end of the document"),
            SyntaxErrorCase("{", "1:2: expected a field or \"...\", found the end of the document"),
            SyntaxErrorCase("{}", "1:2: expected a field or \"...\", found \"}\""),
            SyntaxErrorCase("{a{}}", "1:4: expected a field or \"...\", found \"}\""),
            SyntaxErrorCase("{a}}", "1:4: expected an operation or a fragment, found \"}\""),
            SyntaxErrorCase("query", "1:6: expected \"{\", found the end of the document"),
            SyntaxErrorCase("query Q on", "1:9: expected \"{\", found \"on\""),
            SyntaxErrorCase("query Q() {a}", "1:9: expected a variable, found \")\""),
            SyntaxErrorCase("query Q($) {a}", "1:10: expected a variable's name, found \")\""),
            SyntaxErrorCase("query Q($a) {a}", "1:11: expected \":\", found \")\""),
            SyntaxErrorCase("query Q($a: ) {a}", "1:13: expected a type, found \")\""),
            SyntaxErrorCase("query Q($a: [Int) {a}", "1:17: expected \"]\", found \")\""),
            SyntaxErrorCase("query Q($a: Int!!) {a}", "1:17: expected a variable or \")\", found \"!\""),
            SyntaxErrorCase("query Q($a: Int = $b) {a}", "1:19: expected a value without variables, found \"$\""),
            SyntaxErrorCase("query Q($a: Int = [$b]) {a}", "1:20: expected a value without variables, found \"$\""),
            SyntaxErrorCase("query Q($a: Int @b(c: $d)) {a}", "1:23: expected a value without variables, found \"$\""),
            SyntaxErrorCase("{ a() }", "1:5: expected an argument's name, found \")\""),
            SyntaxErrorCase("{ a(b) }", "1:6: expected \":\", found \")\""),
            SyntaxErrorCase("{ a(b:) }", "1:7: expected a value, found \")\""),
            SyntaxErrorCase("{ a(b: 1 2) }", "1:10: expected an argument's name or \")\", found \"2\""),
            SyntaxErrorCase("{ a(b: {c}) }", "1:10: expected \":\", found \"}\""),
            SyntaxErrorCase("{ a(b: [1) }", "1:10: expected a value, found \")\""),
            SyntaxErrorCase("{ a(b: $1) }", "1:9: expected a variable's name, found \"1\""),
            SyntaxErrorCase("{ a: \"b\" }", "1:6: expected a field's name, found a string"),
            SyntaxErrorCase("{ a: b: c }", "1:7: expected a field, \"...\" or \"}\", found \":\""),
            SyntaxErrorCase("{ a @ }", "1:7: expected a directive's name, found \"}\""),
            SyntaxErrorCase("{ ... }", "1:7: expected a fragment's name, \"on\", a directive or \"{\", found \"}\""),
            SyntaxErrorCase("{ ... on }", "1:10: expected a type's name, found \"}\""),
            SyntaxErrorCase("{ ... on Hero }", "1:15: expected \"{\", found \"}\""),
            SyntaxErrorCase("fragment on on Hero {a}", "1:10: expected a fragment's name, found \"on\""),
            SyntaxErrorCase("fragment F {a}", "1:12: expected \"on\" and a type, found \"{\""),
            SyntaxErrorCase("fragment F on {a}", "1:15: expected a type's name, found \"{\""),
            SyntaxErrorCase("fragment F on Hero", "1:19: expected \"{\", found the end of the document"),
            SyntaxErrorCase("fragment F($a: Int) on Hero {a}", "1:11: expected \"on\" and a type, found \"(\""),
            SyntaxErrorCase("type Hero { name: String }", "1:1: expected an operation or a fragment, found \"type\""),
            SyntaxErrorCase(
                "\"in short\" {a}",
                "1:12: expected \"query\", \"mutation\", \"subscription\" or \"fragment\" after a description, found \"{\""),
            SyntaxErrorCase("Query {a}", "1:1: expected an operation or a fragment, found \"Query\""),
            SyntaxErrorCase(
                "query Hero {\n  hero(id: $id) {\n    name\n  \n}\n",
                "6:1: expected a field, \"...\" or \"}\", found the end of the document"),
        ])
    func refusing(_ refused: SyntaxErrorCase) {
        #expect(refused.found == refused.expected)
    }

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
