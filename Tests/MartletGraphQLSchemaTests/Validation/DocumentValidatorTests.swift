import Foundation
import MartletGraphQL
import MartletSystem
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of documents made to be expensive", .timeLimit(.minutes(5)))
struct DocumentValidatorTests {
    private func violations(_ text: String, limits: ValidationLimits = ValidationLimits()) throws -> [GraphQLViolation] {
        try DocumentValidator.violations(of: ExecutableDocument.parse(text), in: .pets, limits: limits)
    }

    @Test("Fragments that expand exponentially are visited once each")
    func exponential() throws {
        let levels = 200
        let chain = (0..<levels).map { "fragment F\($0) on Human { pets { owner { ...F\($0 + 1) } } ...F\($0 + 1) }" }.joined(
            separator: "\n")
        #expect(try violations("{ human(id: 1) { ...F0 } }\n\(chain)\nfragment F\(levels) on Human { name }") == [])
        let found = try violations("{ human(id: 1) { ...F0 name: pets { name } } }\n\(chain)\nfragment F\(levels) on Human { name }")
        #expect(found.map(\.rule) == [.overlappingFieldsCanBeMerged])
    }

    @Test("A plain field that is repeated many times is compared once")
    func repeated() throws {
        #expect(try violations("{ dog { \(String(repeating: "name ", count: 50_000)) } }") == [])
    }

    @Test("Comparing fields ends at the limit, which is a violation")
    func manyFields() throws {
        let fields = String(repeating: "dog { name } ", count: 300)
        #expect(try violations("{ \(fields) }") == [])
        let found = try violations("{ \(fields) }", limits: ValidationLimits(work: 50_000))
        #expect(found.map(\.description) == ["1:1: the document is too complex to be validated"])
        #expect(found.map(\.rule) == [.limits])
    }

    @Test("Comparing the variables of many operations with those of their fragments ends at the limit")
    func manyOperations() throws {
        let operations = (0..<200).map { "query Q\($0)($id: ID) { ...F }" }.joined()
        let uses = (0..<200).map { "a\($0): dog(id: $id) { name } " }.joined()
        let text = "\(operations) fragment F on Query { \(uses) }"
        #expect(try violations(text) == [])
        #expect(try violations(text, limits: ValidationLimits(work: 30_000)).map(\.rule) == [.limits])
    }

    @Test("At most 100 violations are returned")
    func manyViolations() throws {
        #expect(try violations("{ \((0..<5_000).map { "a\($0) " }.joined()) }").count == 100)
        #expect(try violations("{ \((0..<5_000).map { "dog(id: \($0)) { name } " }.joined()) }").count == 100)
        #expect(try violations("{ a b c }", limits: ValidationLimits(violations: 2)).map(\.column) == [3, 5])
    }

    @Test("Selections and values as deep as the parser allows do not exceed a small stack")
    func deep() {
        let depth = 190
        let selections = String(repeating: "pets { owner { ", count: depth / 2) + "name" + String(repeating: " } }", count: depth / 2)
        let list = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        let object = String(repeating: "{and: ", count: depth) + "{}" + String(repeating: "}", count: depth)
        let texts = [
            "{ human(id: 1) { \(selections) \(selections) } }", "{ pets(matrix: \(list)) { name } }",
            "{ pets(filter: \(object)) { name } pets(filter: \(object)) { owner { name } } }",
        ]
        let found = Locked<[[GraphQLRule]]>([])
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            for text in texts {
                let rules = (try? violations(text))?.map(\.rule) ?? [.syntax]
                found.withLock { $0.append(rules) }
            }
            done.signal()
        }
        // A sanitizer needs larger frames.
        thread.stackSize = 512 * 1024 * (ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] == nil ? 1 : 8)
        thread.start()
        done.wait()
        #expect(found.withLock { $0 } == [[], [.valuesOfCorrectType], []])
    }

    @Test("A chain of many fragments is followed without recursion")
    func chain() throws {
        let count = 5_000
        let fragments = (0..<count).map { "fragment F\($0) on Dog { ...F\($0 + 1) }" }.joined()
        #expect(try violations("{ dog { ...F0 } } \(fragments) fragment F\(count) on Dog { name }") == [])
    }

    @Test("A message describes a second position as the caller wants")
    func places() throws {
        let document = try ExecutableDocument.parse("{ dog { a: name\na: nickname } }")
        let found = DocumentValidator.violations(of: document, in: .pets) { "line \($0.line) of Dog.graphql" }
        #expect(found.map(\.message) == ["\"a\" is the field \"nickname\" here, but the field \"name\" at line 1 of Dog.graphql"])
    }

    @Test("A document is found to be valid or invalid at its first violation")
    func first() throws {
        #expect(try violations("{ a b }", limits: ValidationLimits(violations: 1)).map(\.column) == [3])
    }
}
