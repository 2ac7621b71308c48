import OperationGenerator
import Testing

@Suite("Generated operations and types", .timeLimit(.minutes(5)))
struct GeneratedSourceTests {
    @Test("Nullability is exact at every level of lists")
    func nullability() throws {
        let sdl = "type Query { a: Int b: Int! c: [Int] d: [Int!]! e: [[Int]!] f: [[ID!]!]! }"
        #expect(
            properties(try files(sdl, "query A { a b c d e f }"), "AQuery.swift") == [
                "let a: Int?", "let b: Int", "let c: [Int?]?", "let d: [Int]", "let e: [[Int?]]?", "let f: [[GraphQLID]]",
            ])
    }

    @Test("Only what is used is generated")
    func used() throws {
        let sdl =
            "type Query { a(i: I): E } enum E { A } enum F { B } input I { x: J } input J { y: Int e: G } enum G { C } input K { z: Int }"
        let names = try files(sdl, "query A { a }").map(\.name), more = try files(sdl, "query A($i: I) { a(i: $i) }").map(\.name)
        #expect(names == ["AQuery.swift", "E.swift"])
        #expect(more == ["AQuery.swift", "E.swift", "G.swift", "I.swift", "J.swift"])
    }

    @Test("The same input gives the same files, whatever the order of documents")
    func stable() throws {
        let sdl = "type Query { a: Int b: Query }", first = "query A { a b { ...F } }", second = "fragment F on Query { a }"
        let third = "query B { ...F }"
        #expect(try files(sdl, first, second, third).map(\.name) == ["AQuery.swift", "BQuery.swift", "F.swift"])
        let forth = try files(sdl, first, second, third).map { $0.text.split(separator: "\n").dropFirst() }
        let back = try files(sdl, third, second, first).map { $0.text.split(separator: "\n").dropFirst() }
        #expect(forth == back)
    }

    @Test("Conditional fields are optional, unless they are also selected without a condition")
    func conditions() throws {
        let sdl = "type Query { a: Int! b: Int! c: Int! d: Int! o: Query! }"
        let document = """
            query A($x: Boolean!) {
              a @include(if: $x) b @skip(if: $x) b c @include(if: true)
              ... @include(if: $x) { o { a d } } o { b }
              ... @defer { d }
            }
            """
        #expect(
            properties(try files(sdl, document), "AQuery.swift") == [
                "let x: Bool", "let a: Int?", "let b: Int", "let c: Int", "let o: O", "let d: Int?", "let a: Int?", "let d: Int?",
                "let b: Int",
            ])
    }

    @Test("Fields under one condition are present together")
    func together() throws {
        let sdl = "type Query { a: Int! o: Query! }", document = "query A($x: Boolean!) { ... @include(if: $x) { o { a } o { o { a } } } }"
        #expect(
            properties(try files(sdl, document), "AQuery.swift") == [
                "let x: Bool", "let o: O?", "let a: Int", "let o: O", "let a: Int",
            ])
    }

    @Test("A conditional field that another fragment selects too is nil if it lacks what is selected in it")
    func partial() throws {
        let sdl = "type Query { a: Int! b: Int! o: Query! }"
        let document = """
            query A($x: Boolean!) { o { ...F ...G ...H @include(if: $x) } }
            fragment F on Query { o @include(if: $x) { a } } fragment G on Query { o { b } } fragment H on Query { o { b } }
            """
        let files = try files(sdl, document)
        #expect(lines(files, "F.swift").contains("init(json: inout JSONReader) throws { self.init(o: try? json.decodeIfPresent(\"o\")) }"))
        #expect(lines(files, "G.swift").contains("struct G: Decodable, Hashable, Sendable {"))
        #expect(lines(files, "AQuery.swift").contains { $0.contains("f: json.value(), g: json.decode(), h: try? json.decode()") })
    }

    @Test("A conditional fragment is there if a key that it always has is")
    func presence() throws {
        let sdl = "type Query { t: Query id: ID a_b: Int! aB: Int! }"
        let document = """
            query Q($x: Boolean!, $y: Boolean!) { t { id ...F @include(if: $x) ...G @include(if: $y) } }
            fragment F on Query { a_b } fragment G on Query { aB }
            """
        let lines = lines(try files(sdl, document), "QQuery.swift")
        let expected =
            #"try self.init(id: json["id"], f: json.contains("a_b") ? json.decode() : nil, g: json.contains("aB") ? json.decode() : nil)"#
        #expect(lines.contains(expected), "\(lines)")
    }

    @Test("A fragment below a conditional field is there if a key is that no other selection of the object has")
    func presenceBelow() throws {
        let sdl = "type Query { c: O } type O { s: Int! o: O }"
        let document = """
            query Q($v: Boolean!) { c { ...F } ... @skip(if: $v) { c { ...G o { s } } } }
            fragment F on O { __typename o { __typename } } fragment G on O { __typename s }
            """
        let lines = lines(try files(sdl, document), "QQuery.swift")
        #expect(
            lines.contains {
                $0.contains(#"o: try? json.decodeIfPresent("o"), f: json.decode(), g: json.contains("s") ? json.decode() : nil"#)
            }, "\(lines)")
    }

    @Test("Selections that are too many to be compared are an error, and do not change how a fragment is decoded")
    func manySelections() throws {
        let sdl = "type Query { t: Query a: Int! b: Int! }"
        let document = "query A($x: Boolean!) { t { ...F @include(if: $x) ...G } } fragment F on Query { a b } fragment G on Query { a }"
        let others = (0..<20).map { "query C\($0) { t { t { a b } } }" }.joined(separator: "\n")
        let found = lines(try files(sdl, document, others), "AQuery.swift")
        #expect(found.contains { $0.contains(#"f: json.contains("b") ? json.decode() : nil, g: json.decode()"#) }, "\(found)")
        let error = #expect(throws: OperationGeneratorError.self) { try files(sdl, document, others) { $0.maxSelections = 50 } }
        #expect(error?.problems.count == 1 && error?.description.contains("combined in too many ways") == true)
    }

    @Test("A selection of one fragment has the fragment's type, also at the root and in a list")
    func wholeFragment() throws {
        let sdl = "type Query { a: Int o: [Query!] }", document = "query A { ...F } query B { o { ...F } } fragment F on Query { a }"
        let files = try files(sdl, document)
        #expect(lines(files, "AQuery.swift").contains("typealias Data = F"))
        #expect(properties(files, "BQuery.swift") == ["let o: [F]?"])
    }

    @Test("Types of one fragment on an interface share a case")
    func groups() throws {
        let sdl = """
            type Query { n: N u: U } interface N { id: ID! } interface M { x: Int }
            type A implements N & M { id: ID! x: Int } type B implements N & M { id: ID! x: Int } type C implements N { id: ID! }
            type D implements N & M { id: ID! x: Int } union U = A | B | C | D
            """
        let files = try files(sdl, "query Q { n { ... on M { x } ... on A { id } } u { ... on N { id } } }")
        let lines = lines(files, "QQuery.swift"), properties = properties(files, "QQuery.swift")
        #expect(lines.contains("case \"A\": self = try .a(json.decode())"))
        #expect(lines.contains("case \"B\", \"D\": self = try .m(json.decode())"))
        #expect(properties.contains("let u: U?") && properties.contains("let id: GraphQLID"))
        #expect(lines.contains { $0.contains("n { __typename ... on M { x }") && $0.contains("u { ... on N { id } }") })
    }

    @Test("A field that is selected on an interface and on its object, where the type is narrower, has the fields of both")
    func narrowerField() throws {
        let sdl = """
            type Query { a: A n: I } interface I { f: Animal } type A implements I { f: Dog } type B implements I { f: Animal }
            interface Animal { name: String! } type Cat implements Animal { name: String! }
            type Dog implements Animal { name: String! bark: Int! owner: Person } type Person { name: String! }
            """
        let file = "QQuery.swift", rest = "f { bark owner { name } }"
        let expected = ["let name: String", "let bark: Int", "let owner: Owner?", "let name: String"]
        #expect(properties(try files(sdl, "query Q { a { ... on I { f { name } } \(rest) } }"), file).suffix(4) == expected)
        let apart = try properties(files(sdl, "query Q { n { f { name } ... on A { \(rest) } } }"), file).filter { !$0.contains("decoder") }
        #expect(apart.suffix(3) == expected.suffix(3))
        // The value is a Dog, so that a fragment on Dog always applies, and one on Cat never.
        let inline = try files(sdl, "query Q { a { f { bark } ... on I { f { ... on Dog { name } ... on Cat { name } } } } }")
        #expect(properties(inline, file).suffix(2) == ["let bark: Int", "let name: String"])
    }

    @Test("__typename is added once, and a selected one is kept")
    func typename() throws {
        let sdl = "type Query { u: U } union U = A | B type A { x: Int } type B { x: Int }"
        let lines = lines(try files(sdl, "query Q { __typename u { __typename ... on A { x } } }"), "QQuery.swift")
        #expect(lines.contains("static let document: GraphQLDocument = \"query Q { __typename u { __typename ... on A { x } } }\""))
        #expect(lines.contains("let typename: String"))
    }

    @Test("Variables are Optionals, or GraphQLNullable where null differs from a missing value")
    func variables() throws {
        let sdl = """
            type Query { a(x: Int, y: Int = 1, i: I): Int } type Mutation { a(x: Int): Int } input I { z: Int, w: Int! = 2 }
            """
        let document = """
            query A($x: Int, $y: Int, $z: Int, $d: Int = 3, $n: Int! = 4) { a(x: $x, y: $y, i: { z: $z, w: $n }) b: a(x: $d) }
            mutation B($x: Int) { a(x: $x) }
            query C($i: I) { a(i: $i) }
            query D($x: Boolean) { __type(name: "I") { fields(includeDeprecated: $x) { name } } }
            """
        let files = try files(sdl, document)
        #expect(
            properties(files, "AQuery.swift", "var") == [
                "var x: Int?", "var y: GraphQLNullable<Int>?", "var z: GraphQLNullable<Int>?", "var d: GraphQLNullable<Int>?",
                "var n: Int?",
            ])
        #expect(lines(files, "BMutation.swift").contains("var x: GraphQLNullable<Int>?"))
        #expect(properties(files, "DQuery.swift", "var") == ["var x: GraphQLNullable<Bool>?"])
        #expect(properties(files, "I.swift", "var") == ["var z: GraphQLNullable<Int>?", "var w: Int?"])
    }

    @Test("Only an optional property of a recursive input has a default value")
    func recursiveInputs() throws {
        let sdl = "type Query { a(w: Where): Int } input Where { not: Wrap } input Wrap { where: Where! }"
        let files = try files(sdl, "query Q($w: Where) { a(w: $w) }")
        #expect(lines(files, "Wrap.swift").contains("@GraphQLIndirect var `where`: Where"))
        #expect(lines(files, "Where.swift").contains("@GraphQLIndirect var not: GraphQLNullable<Wrap>? = nil"))
    }

    @Test("A type of few properties is one line, unless they have comments, deprecations or types of their own")
    func short() throws {
        let sdl = """
            type Query { a: Int b: String "The c." c: Int @deprecated o: Query p: P! snake_case: Int } type P { x: Int @deprecated y: Int }
            input H { a: Int } input I { a: Int b: Int! } input J { "The a." a: Int }
            input K { k: K } type Mutation { m(h: H, i: I, j: J, k: K, e: E, f: F): Int }
            enum E { A B } enum F { "The a." A B }
            """
        let document = """
            query A { o { a b } n: o { c } d: o { snake_case } p { y x } ...G }
            mutation M($h: H, $i: I, $j: J, $k: K, $e: E, $f: F) { m(h: $h, i: $i, j: $j, k: $k, e: $e, f: $f) } fragment G on Query { a }
            """
        let generated = try files(sdl, document), query = lines(generated, "AQuery.swift"), k = lines(generated, "K.swift")
        #expect(query.contains("struct O: Decodable, Hashable, Sendable { let a: Int?, b: String? }"))
        for name in ["N", "D", "P"] { #expect(query.contains("struct \(name): Decodable, Hashable, Sendable {"), "\(name)") }
        #expect(lines(generated, "H.swift").last == "struct H: Encodable, Hashable, Sendable { var a: GraphQLNullable<Int>? }")
        #expect(properties(generated, "I.swift", "var") == ["var a: GraphQLNullable<Int>?", "var b: Int"])
        #expect(lines(generated, "I.swift").suffix(3).first == "var a: GraphQLNullable<Int>?")
        #expect(lines(generated, "J.swift").contains("var a: GraphQLNullable<Int>?") && k.count == 5, "\(k)")
        #expect(lines(generated, "E.swift").last == "enum E: String, Codable, Sendable { case a = \"A\", b = \"B\" }")
        #expect(lines(generated, "F.swift").suffix(4) == ["/// The a.", "case a = \"A\"", "case b = \"B\"", "}"])
        let bare = try files(sdl, document) { $0.hasDocumentation = false }
        #expect(lines(bare, "F.swift").last == "enum F: String, Codable, Sendable { case a = \"A\", b = \"B\" }")
        let exported = try files(sdl, document) { $0.isPublic = true }
        #expect(!exported.contains { $0.text.contains("{ let ") || $0.text.contains("{ var ") })
        let long = "query A { o { \((1...9).map { "a\($0): a" }.joined(separator: " ")) } }"
        #expect(lines(try files(sdl, long), "AQuery.swift").contains("let a9: Int?"))
    }

    @Test("An unknown custom scalar is a problem that says how to configure it")
    func scalars() throws {
        let sdl = "type Query { a: Money b(d: Date): Int } scalar Money scalar Date", document = "query A($d: Date) { a b(d: $d) }"
        let error = #expect(throws: OperationGeneratorError.self) { try files(sdl, document) }
        #expect(error?.problems.count == 2)
        #expect(error?.description.contains("Query.a") == true && error?.description.contains("--scalar Money=String") == true)
        let generated = try files(sdl, document) { $0.scalars = ["Money": "MoneyKit.Amount", "Date": "Date"] }
        let lines = lines(generated, "AQuery.swift")
        #expect(properties(generated, "AQuery.swift").contains("let a: MoneyKit.Amount?") && lines.contains("var d: Date?"))
        #expect(lines.dropFirst().prefix(3) == ["import Foundation", "import MartletGraphQL", "import MoneyKit"])
    }

    @Test("Only modules of types that are written are imported, and publicly only those of public declarations")
    func publicImports() throws {
        let sdl = """
            type Query { u: URI url: URL t: Text a(x: A): Int }
            "GraphQL" type URL { id: String "GraphQL" old: Int @deprecated(reason: "Use GraphQL, or a URL") } scalar URI scalar Text
            input A { b: B } input B { self: B2! } input B2 { a: A! = {b: null} }
            input E { e: Old! } enum Old { A @deprecated(reason: "GraphQL URL") }
            type Mutation { m(e: E): Int }
            """
        let documents = "query Q { url { ...F } t } fragment F on URL { id old } query R($x: A) { a(x: $x) } mutation M($e: E) { m(e: $e) }"
        func imports(_ isNonisolated: Bool) throws -> [String: [String]] {
            let files = try files(sdl, documents) {
                $0.isPublic = true
                $0.isNonisolated = isNonisolated
                $0.scalars = ["URI": "URL", "Text": "Kit.Text"]
            }
            let found = files.map { ($0.name, lines(files, $0.name).filter { $0.split(separator: " ").contains("import") }) }
            return Dictionary(uniqueKeysWithValues: found)
        }
        let graphQL = "public import MartletGraphQL"
        for isNonisolated in [true, false] {
            let found = try imports(isNonisolated)
            #expect(found["QQuery.swift"] == ["public import Kit", graphQL] && found["F.swift"] == [graphQL])
            #expect(found["A.swift"] == [graphQL] && found["E.swift"] == [] && found["Old.swift"] == [])
            #expect(found["B.swift"] == [isNonisolated ? "internal import MartletGraphQL" : graphQL])
        }
    }

    @Test("Types are Hashable unless the options say otherwise")
    func hashable() throws {
        let sdl = "type Query { a(i: I, j: J): E o: Query } enum E { A } input I { x: Int } input J @oneOf { x: Int }"
        let document = "query A($i: I, $j: J) { b: a(i: $i, j: $j) o { ...F } ...F } fragment F on Query { a }"
        for isHashable in [true, false] {
            let files = try files(sdl, document) { $0.isHashable = isHashable }
            #expect(
                files.filter { $0.text.contains("Hashable") }.map(\.name)
                    == (isHashable ? files.map(\.name).filter { $0 != "E.swift" } : []))
        }
    }

    @Test(
        "Data in the type of a scalar is that of Foundation, also in an operation's type Data",
        arguments: [
            ("Data", "Foundation.Data"), ("[Data]", "[Foundation.Data]"), ("[String:Data]", "[String: Foundation.Data]"),
            ("Foundation.Data", "Foundation.Data"), ("Kit.Data", "Kit.Data"),
            ("Box<[Data?], Kit.Data>", "Box<[Foundation.Data?], Kit.Data>"),
            ("DataBox", "DataBox"), ("[ A : [B] ]", "[A: [B]]"), ("_Kit.A2", "_Kit.A2"),
        ])
    func foundationData(_ type: String, _ expected: String) throws {
        let files = try files("type Query { a: D! } scalar D", "query A { a }") { $0.scalars = ["D": type] }
        #expect(lines(files, "AQuery.swift").contains("struct Data: Decodable, Hashable, Sendable { let a: \(expected) }"))
        #expect(files[0].text.contains("\nimport Foundation\n") == expected.contains("Foundation.Data"))
        #expect(files[0].text.contains("\nimport Kit\n") == expected.contains("Kit.Data"))
    }

    @Test(
        "Invalid types of scalars are problems",
        arguments: [
            "Date\n", "", "A;B", "A(", "1", "A`", "Int, b: Int", "A..B", "Int]", "Int ", " Int", "self", "A.self", "[Int", "[A: B: C]",
            "A<>",
            "A<B", "A>B", ".A", "A.", "[]", "A B", "[:]", "A.Type", "_", "é", "A?", "[A]?", "A<B>.C<", "Any", "[A, B]",
            String(repeating: "[", count: 100_000) + "A" + String(repeating: "]", count: 100_000),
        ])
    func invalidScalar(_ type: String) {
        #expect(throws: OperationGeneratorError.self) {
            try files("type Query { a: D } scalar D", "query A { a }") { $0.scalars = ["D": type] }
        }
    }
}
