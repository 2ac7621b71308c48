internal import MartletEssentials

/// An operation's variables: the members of a value, and single ones that go before them.
struct OperationInput: Sendable, Encodable {
    var base: (any Encodable & Sendable)?
    /// The variables that replace those of `base`.
    var own: [String: GraphQLVariable] = [:]

    /// Whether there is nothing to send.
    var isEmpty: Bool { base == nil && own.isEmpty }

    /// All by name; those of a value as the JSON that is made of it.
    var members: [String: GraphQLVariable] {
        guard let base, case .object(let members)? = try? JSONValue(encoding: GraphQLEncodable(base)) else { return own }
        return members.dictionary.mapValues(GraphQLVariable.init(json:)).merging(own) { $1 }
    }

    func setting(_ name: String, to value: GraphQLVariable) -> Self {
        var input = self
        input.own[name] = value
        return input
    }

    /// Throws when the variables would not be an object: an encoder that is asked for a value and for members at once ends the process.
    func check(with encoder: any BodyEncoder) throws {
        guard let base else { return }
        let first = try encoder.encode(GraphQLEncodable(base)).first
        guard first == UInt8(ascii: "{") else {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "the variables of an operation are the members of an object")
            throw EncodingError.invalidValue(base, context)
        }
    }

    /// Writes the variables, which have been checked.
    func encode(to encoder: any Encoder) throws {
        try base?.encode(to: encoder)
        // What is written last wins.
        var container = encoder.container(keyedBy: JSONCodingKey.self)
        for (name, value) in own {
            let key = JSONCodingKey(name: name)
            UploadCollector.current?.forget(below: encoder.codingPath + [key])
            try container.encode(value, forKey: key)
        }
    }
}
