/// The types and directives of every schema (GraphQL, September 2025, §3.5, §3.13 and §4), and those of incremental delivery.
enum BuiltInDefinitions {
    static let types = definitions.types
    static let directives = definitions.directives
    static let typeNames = Set(types.map(\.name))

    /// The names of the introspection types, which responses to introspection queries list as types of the schema.
    static func isIntrospection(_ name: String) -> Bool { name.hasPrefix("__") && typeNames.contains(name) }

    private static let definitions: SchemaDefinitions = {
        // The text is constant, and a test parses it.
        (try? SDLParser.parse(text)) ?? SchemaDefinitions()
    }()

    static let text = #"""
        "A signed 32-bit integer."
        scalar Int
        "A signed double-precision number with a fraction."
        scalar Float
        "Text, as a sequence of Unicode code points."
        scalar String
        "`true` or `false`."
        scalar Boolean
        "A unique identifier, which is serialized as a string and not meant for people."
        scalar ID

        "Includes the field or fragment only if the argument is true."
        directive @include("Included if true." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        "Leaves out the field or fragment if the argument is true."
        directive @skip("Left out if true." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        "Marks an element of the schema that is no longer supported."
        directive @deprecated("Why, and what to use instead, as Markdown." reason: String! = "No longer supported")
          on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
        "Names the specification of a custom scalar."
        directive @specifiedBy("The URL of the specification." url: String!) on SCALAR
        "Marks an input object of which exactly one field must be given."
        directive @oneOf on INPUT_OBJECT
        "Delivers a fragment after the rest of the response."
        directive @defer("Deferred if true." if: Boolean! = true, "A name for the fragment." label: String)
          on FRAGMENT_SPREAD | INLINE_FRAGMENT
        "Delivers the items of a list after the rest of the response."
        directive @stream(
          "Streamed if true." if: Boolean! = true, "A name for the list." label: String,
          "The number of items in the first response." initialCount: Int! = 0
        ) on FIELD

        type __Schema {
          description: String
          types: [__Type!]!
          queryType: __Type!
          mutationType: __Type
          subscriptionType: __Type
          directives: [__Directive!]!
        }
        type __Type {
          kind: __TypeKind!
          name: String
          description: String
          specifiedByURL: String
          fields(includeDeprecated: Boolean! = false): [__Field!]
          interfaces: [__Type!]
          possibleTypes: [__Type!]
          enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
          inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
          ofType: __Type
          isOneOf: Boolean
        }
        enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
        type __Field {
          name: String!
          description: String
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
          type: __Type!
          isDeprecated: Boolean!
          deprecationReason: String
        }
        type __InputValue {
          name: String!
          description: String
          type: __Type!
          defaultValue: String
          isDeprecated: Boolean!
          deprecationReason: String
        }
        type __EnumValue { name: String! description: String isDeprecated: Boolean! deprecationReason: String }
        type __Directive {
          name: String!
          description: String
          isRepeatable: Boolean!
          locations: [__DirectiveLocation!]!
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
        }
        enum __DirectiveLocation {
          QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION
          SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
        }
        """#
}
