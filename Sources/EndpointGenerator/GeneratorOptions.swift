/// What to generate: the arguments of `martlet-endpoint` except the names of files.
package struct GeneratorOptions: Sendable {
    /// The repository of the generated method.
    package enum Repository: Sendable, Hashable {
        /// A repository whose name is derived from the path.
        case derived
        /// A repository with this name.
        case named(String)
        /// No repository: the endpoint and its test only.
        case none
    }

    /// The HTTP method, in any case.
    package var method: String
    /// The path template, such as `/users/{id:Int}/orders`.
    package var path: String
    /// A sample query, such as `page=1&sort=name`. Default: none.
    package var query = ""
    /// The name of the endpoint's type. Default: nil, derived from the method and the path.
    package var name: String?
    /// The name of a type at the top level for the response. Default: nil, a type nested in the endpoint.
    package var model: String?
    /// The repository of the generated method. Default: derived from the path.
    package var repository = Repository.derived
    /// The module that the test imports. Default: nil, no import.
    package var module: String?
    /// Whether declarations are public. Default: false.
    package var isPublic = false
    /// Whether types are marked `nonisolated`, for modules that isolate to the main actor by default. Default: false.
    package var isNonisolated = false
    /// Whether the client uses the coders `.snakeCase`, so that models need no coding keys for names in snake case. Default: false.
    package var isSnakeCase = false
    /// Whether the models of responses read themselves from JSON, without synthesized decoding. Default: false.
    package var isJSONReadable = false
    /// Whether numbers with a fraction are `Decimal`. Default: false, `Double`.
    package var usesDecimal = false
    /// Whether string members with few values become enums. Default: true.
    package var findsEnums = true
    /// The names of string members that become enums, whatever their values are. Default: none.
    package var enums: Set<String> = []
    /// The names of members whose objects are dictionaries, whatever their keys are. Default: none.
    package var dictionaries: Set<String> = []
    /// The maximum nesting of arrays and objects in a sample. Default: 32.
    package var maxDepth = 32

    /// Creates options. The others have defaults.
    package init(method: String, path: String) {
        self.method = method
        self.path = path
    }
}
