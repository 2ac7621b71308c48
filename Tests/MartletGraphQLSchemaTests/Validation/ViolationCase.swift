import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

/// An invalid document and the violations expected of it, each with its rule.
struct ViolationCase: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: [String]

    init(_ text: String, _ expected: (GraphQLRule, String)...) {
        self.text = text
        self.expected = expected.map { "\($0.0): \($0.1)" }
    }

    var testDescription: String { text }

    /// The violations that are found.
    var found: [String] { GraphQLDocument(text).violations(in: .pets).map { "\($0.rule): \($0)" } }
}

extension GraphQLSchema {
    /// A schema with each kind of type.
    static let pets: GraphQLSchema = {
        do { return try GraphQLSchema(sdl: petsSDL) } catch { fatalError("\(error)") }
    }()

    private static let petsSDL = #"""
        type Query {
          dog(id: ID): Dog
          pet: Pet
          pets(first: Int! = 10, filter: PetFilter, ids: [ID!], matrix: [[Int!]!]): [Pet!]!
          catOrDog: CatOrDog
          human(id: ID!): Human
          find(by: FindBy!, orBy: FindBy): Pet
          arguments(int: Int, float: Float, string: String, boolean: Boolean, id: ID, date: Date, size: Size, required: Int!): Int
        }
        type Mutation { addDog(name: String!): Dog }
        type Subscription { newDog: Dog dogs: [Dog] }
        interface Pet { name: String! owner: Human }
        interface Canine { name: String! }
        type Dog implements Pet & Canine { name: String! owner: Human nickname: String barkVolume: Int knows(command: Command!): Boolean! friends: [Dog!] }
        type Cat implements Pet { name: String! owner: Human meowVolume: Int nickname: [String] }
        type Human { name: String! pets: [Pet] }
        union CatOrDog = Cat | Dog
        enum Command { SIT HEEL DOWN }
        enum Size { SMALL BIG }
        input PetFilter { name: String sizes: [Size!] owner: OwnerFilter limit: Int! = 5 and: [PetFilter!] }
        input OwnerFilter { name: String! age: Int }
        input FindBy @oneOf { id: ID name: String owner: OwnerFilter }
        scalar Date
        directive @once(reason: String) on QUERY | FIELD | VARIABLE_DEFINITION
        directive @many(reason: String!) repeatable on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION
        """#
}
