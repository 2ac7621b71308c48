import MartletEssentials
import MartletGraphQL
import MartletMockServer
import Testing

@testable import MartletGraphQLSchema

@Suite("Hostile schemas", .timeLimit(.minutes(5)))
struct HostileSchemaTests {
    private static let sdl = """
        schema { query: Query mutation: M } "d" type Query implements I & J @a(x: [1, {b: "c"}]) { i(in: In! = {a: 1}): [I!]! m: M }
        interface I implements J { i(in: In!): [I] j: U } interface J { i(in: In!): [J] } union U = Query | M
        type M { e(x: E = A): E @deprecated(reason: "r") } enum E { A B @deprecated } input In @oneOf { a: Int b: In = null }
        input Loop { a: Loop2! = {b: {}} } input Loop2 { b: Loop = {} } scalar S @specifiedBy(url: "u")
        directive @a(x: [In], y: Loop) repeatable on OBJECT | FIELD extend type M { f: Int } extend union U = M extend input In { c: S }
        """

    /// Reads a text like a user's, and reads the SDL written from it. A trap fails the whole program.
    private func read(_ sdl: String) {
        if let schema = try? GraphQLSchema(sdl: sdl) { _ = try? GraphQLSchema(sdl: schema.sdl) }
    }

    @Test("No mutation of a schema traps", arguments: 0..<8)
    func mutations(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let tokens = Self.sdl.split(separator: " ").map(String.init)
        for _ in 0..<400 {
            var mutated = tokens
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = mutated.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutated.remove(at: place)
                case 1: mutated.insert(tokens.randomElement(using: &random) ?? "", at: place)
                case 2: mutated.swapAt(place, mutated.indices.randomElement(using: &random) ?? 0)
                default: mutated[place] = tokens.randomElement(using: &random) ?? ""
                }
            }
            read(mutated.joined(separator: " "))
        }
    }

    @Test("No mutation of the bytes traps", arguments: 0..<4)
    func bytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = Array(Self.sdl.utf8)
        for _ in 0..<400 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = mutated.indices.randomElement(using: &random) ?? 0
                mutated[place] = UInt8.random(in: 0...255, using: &random)
            }
            read(String(decoding: mutated, as: UTF8.self))
        }
    }

    @Test("No mutation of an introspection response traps", arguments: 0..<4)
    func introspection(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let json =
            #"{"data":{"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q","fields":[{"name":"a","args":[{"name":"#
            + #""x","type":{"kind":"LIST","ofType":{"kind":"NON_NULL","ofType":{"kind":"SCALAR","name":"Int"}}},"defaultValue":"[1]"}],"#
            + #""type":{"kind":"NON_NULL","ofType":{"kind":"OBJECT","name":"Q"}}}],"interfaces":[]}],"directives":[]}}}"#
        let parts = json.split(separator: ",").map(String.init)
        for _ in 0..<200 {
            var mutated = parts
            mutated.swapAt(mutated.indices.randomElement(using: &random) ?? 0, mutated.indices.randomElement(using: &random) ?? 0)
            mutated[mutated.indices.randomElement(using: &random) ?? 0] = parts.randomElement(using: &random) ?? ""
            var bytes = Array(mutated.joined(separator: ",").utf8)
            if Bool.random(using: &random) {
                bytes[bytes.indices.randomElement(using: &random) ?? 0] = UInt8.random(in: 32...126, using: &random)
            }
            _ = try? GraphQLSchema(introspection: Data(bytes))
        }
    }

    @Test("Deep, long and circular schemas are read or refused on a small stack, in time")
    func sizes() {
        let chain = (0..<3000).map { "input C\($0) { next: C\(($0 + 1) % 3000)! other: C\(($0 * 7) % 3000)! = {next: {}} }" }
        let interfaces = (0..<1000).map { "interface N\($0) implements N\(($0 + 1) % 1000) { a: N\($0) }" }
        let texts = [
            "type Query { a: " + String(repeating: "[", count: 199) + "Int" + String(repeating: "!]", count: 199) + " }",
            "type Query { a(b: Int = " + String(repeating: "[", count: 190) + String(repeating: "]", count: 190) + "): Int }",
            "type Query { a(b: Int = " + String(repeating: "[", count: 100_000),
            String(repeating: "type ", count: 100_000), String(repeating: "\"\"\"", count: 10_001),
            "type Query { a: Int } " + chain.joined(separator: "\n"), "type Query { a: Int } " + interfaces.joined(separator: "\n"),
            "type Query { a: Int } input A { a: A = " + String(repeating: "{a: ", count: 150) + "{}" + String(repeating: "}", count: 150)
                + "}",
            "type Query { " + (0..<50_000).map { "f\($0): Int" }.joined(separator: " ") + " }",
        ]
        for text in texts { read(text) }
        let list = String(repeating: #"{"kind":"LIST","ofType":"#, count: 400) + "null" + String(repeating: "}", count: 400)
        let type = #"{"__schema":{"types":[{"kind":"OBJECT","name":"Q","fields":[{"name":"a","type":\#(list)}]}]}}"#
        #expect(throws: GraphQLSchemaError.self) { try GraphQLSchema(introspection: Data(type.utf8)) }
    }
}
