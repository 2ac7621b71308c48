internal import MartletEssentials

/// An operation's variables: the properties of a value, and individual variables that replace them.
struct OperationInput: Sendable, Encodable {
    var base: (any Encodable & Sendable)?
    /// The variables that replace those of `base`.
    var own: [String: GraphQLVariable] = [:]

    /// Whether there is nothing to send.
    var isEmpty: Bool { base == nil && own.isEmpty }

    /// The variables by name. Those of `base` are the JSON it encodes to.
    var members: [String: GraphQLVariable] {
        guard let base, case .object(let members)? = try? JSONValue(encoding: GraphQLEncodable(base)) else { return own }
        return members.dictionary.mapValues(GraphQLVariable.init(json:)).merging(own) { $1 }
    }

    func setting(_ name: String, to value: GraphQLVariable) -> Self {
        var input = self
        input.own[name] = value
        return input
    }

    /// Throws unless the variables form an object. Without this check, an encoder that writes both a single value and keyed members would
    /// trap.
    func check(with encoder: any BodyEncoder) throws {
        guard let base else { return }
        let first = try encoder.encode(GraphQLEncodable(base)).first
        guard first == UInt8(ascii: "{") else {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "the variables of an operation must be a JSON object: encode a type with named properties"
            )
            throw EncodingError.invalidValue(base, context)
        }
    }

    /// Encodes the variables. Call ``check(with:)`` first.
    func encode(to encoder: any Encoder) throws {
        try base?.encode(to: encoder)
        // A member written last replaces an earlier one.
        var container = encoder.container(keyedBy: JSONCodingKey.self)
        for (name, value) in own {
            let key = JSONCodingKey(name: name)
            UploadCollector.current?.forget(below: encoder.codingPath + [key])
            try container.encode(value, forKey: key)
        }
    }
}
