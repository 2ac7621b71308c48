import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("GraphQLSchema", .timeLimit(.minutes(5)))
struct GraphQLSchemaTests {
    @Test("The possible types of an object, an interface and a union")
    func possibleTypes() {
        let schema = GraphQLSchema(
            types: [
                SchemaType(kind: .object, name: "Cat", interfaces: ["Pet"]), SchemaType(kind: .object, name: "Dog", interfaces: ["Pet"]),
                SchemaType(kind: .interface, name: "Pet"), SchemaType(kind: .union, name: "Any", members: ["Cat"]),
            ], directives: [], roots: [:])
        #expect(schema.possibleTypes(of: "Cat") == ["Cat"])
        #expect(schema.possibleTypes(of: "Pet") == ["Cat", "Dog"])
        #expect(schema.possibleTypes(of: "Any") == ["Cat"])
        #expect(schema.possibleTypes(of: "Int") == [])
    }
}
