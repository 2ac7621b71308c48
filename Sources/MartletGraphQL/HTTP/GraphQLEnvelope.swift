internal import MartletEssentials

/// The JSON form of a response to an operation (GraphQL §7.1).
struct GraphQLEnvelope<D: Decodable & Sendable>: Decodable, Sendable {
    let errors: [GraphQLResponseError]
    let extensions: [String: JSONValue]
    /// Nil if `data` is missing or null.
    private let data: Result<D, any Error>?

    /// Whether there is data that could not be decoded.
    var hasUnreadData: Bool { if case .failure? = data { true } else { false } }

    private enum CodingKeys: CodingKey { case data, errors, extensions }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        (errors, extensions) = try BoundedJSON.withBudget {
            let errors = try container.decodeIfPresent(ErrorList.self, forKey: .errors)?.errors ?? []
            let extensions = try? container.decodeIfPresent(ResponseExtensions.self, forKey: .extensions)
            return (errors, extensions?.members ?? [:])
        }
        if container.contains(.data), try !container.decodeNil(forKey: .data) {
            data = Result { try container.decode(D.self, forKey: .data) }
        } else {
            data = nil
        }
        guard data != nil || !errors.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .data, in: container, debugDescription: "the body has neither data nor errors, so it is not a GraphQL response")
        }
    }

    /// Returns the result. Throws the decoding error of the data unless the response has errors, which may explain it.
    ///
    /// - Parameter context: The context of the errors, if there are any.
    func result(_ context: () -> GraphQLErrorContext) throws -> GraphQLResult<D> {
        if errors.isEmpty, let data { return .complete(try data.get()) }
        let context = context(), errors = errors.map { $0.within(context) }
        if case .success(let data)? = data { return .partial(data, errors) }
        return .failed(errors)
    }
}

extension GraphQLEnvelope: JSONReadable {
    /// Reads a response with data and without errors. Others are decoded by `init(from:)`.
    init(json: inout JSONReader) throws {
        guard try !json.beginsWith("errors"), let data: D = try json.decodeIfPresent("data") else { throw JSONReader.Refusal() }
        self.data = .success(data)
        let extensions: ResponseExtensions? = try json.decodeIfPresent("extensions")
        self.extensions = extensions?.members ?? [:]
        errors = []
        if try json.contains("errors") { throw JSONReader.Refusal() }
    }
}

/// The errors of a response. Only the first 1,000 are decoded, because each takes many times the memory of its text.
struct ErrorList: Decodable {
    static let limit = 1_000

    let errors: [GraphQLResponseError]

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var errors: [GraphQLResponseError] = []
        while !container.isAtEnd, errors.count < ErrorList.limit { errors.append(try container.decode(GraphQLResponseError.self)) }
        self.errors = errors
    }
}

/// The extensions of a response, with the limits of ``BoundedJSON``.
struct ResponseExtensions: Decodable {
    let members: [String: JSONValue]

    init(from decoder: any Decoder) throws {
        members = try BoundedJSON.withBudget {
            try decoder.singleValueContainer().decode([String: BoundedJSON].self).mapValues(\.value)
        }
    }
}

/// A data type that accepts any data and ignores it.
struct IgnoredData: Decodable, Sendable {
    init(from decoder: any Decoder) throws {}
}
