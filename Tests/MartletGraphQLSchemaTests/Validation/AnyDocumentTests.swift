import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validating arbitrary documents", .timeLimit(.minutes(5)))
struct AnyDocumentTests {
    private let sample = """
        query A($id: ID! = "4", $by: FindBy, $on: Boolean!) @once {
          dog(id: $id) { ...F @many(reason: "a") n: name @include(if: $on) ... on Pet { owner { name } } }
          pets(first: 3, ids: [$id, 2], filter: {name: "Rex", sizes: [BIG], owner: {name: "a", age: 1}}) { ... @defer(label: "l") { name } }
          find(by: {id: 1}, orBy: $by) { __typename ... on Dog { knows(command: SIT) friends @stream { name } } }
        }
        fragment F on Dog { owner { ...G } friends { name } }
        fragment G on Human { name pets { name } }
        subscription S { newDog { name } }
        mutation M { addDog(name: "Rex") { name } }
        """

    /// Whether the violations of a document are as promised.
    private func isAnswered(_ text: String) -> Bool {
        let document = GraphQLDocument(text), found = document.violations(in: .pets)
        let places = found.map { ($0.line, $0.column) }
        let isSorted = zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }
        let isPlaced = found.allSatisfy { $0.line >= 1 && $0.column >= 1 && $0.column <= text.unicodeScalars.count + 1 }
        return isSorted && isPlaced && found.isEmpty == document.isValid(in: .pets) && Set(found).count == found.count
    }

    @Test("The complete document is valid")
    func whole() { #expect(GraphQLDocument(sample).violations(in: .pets) == []) }

    @Test("With any word missing, repeated or replaced, the violations are in order, each once")
    func changes() async {
        let words = sample.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        var wrong: [String] = []
        for index in words.indices {
            for other in ["", "\(words[index]) \(words[index])", "name", "...F", "}", "{", "1", "$id", "Dog", "on", "@skip"] {
                var changed = words
                changed[index] = other
                let text = changed.joined(separator: " ")
                if !isAnswered(text) { wrong.append(text) }
            }
            await Task.yield()
        }
        #expect(wrong == [])
    }
}
