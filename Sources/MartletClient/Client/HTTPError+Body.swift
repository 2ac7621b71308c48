package import MartletEssentials

extension HTTPError {
    /// Returns the body of the response decoded as `type`, or nil without a response or if its body can't be decoded.
    ///
    /// - Parameters:
    ///   - type: The type of the body. Default: inferred from the context.
    ///   - decoder: The decoder. Default: nil, the decoder of the client that sent the request, or `.json`.
    public func decodeBody<Value: Decodable>(as type: Value.Type = Value.self, using decoder: (any BodyDecoder)? = nil) -> Value? {
        guard let body = response?.body else { return nil }
        let decoder = decoder ?? (request?.context.services as? ClientServices)?.decoder ?? .json
        return try? decoder.decode(type, from: body)
    }

    /// Returns the body of the error response, decoded as the endpoint's `ErrorBody`, or nil without a response or if it can't be decoded.
    ///
    /// ```swift
    /// struct Pay: Endpoint {
    ///     typealias ErrorBody = Refusal
    ///     var path: Path { "pay" }
    /// }
    /// do { try await client.send(Pay()) } catch { show(error.decoded(for: Pay.self)?.reason) }
    /// ```
    public func decoded<E: Endpoint>(for endpoint: E.Type) -> E.ErrorBody? { decodeBody(as: E.ErrorBody.self) }
}

extension HTTPBody {
    /// The maximum wait for the start of a body that is only read for an error.
    private static let patience = Duration.seconds(5)

    /// Returns the start of a body for the error that replaces the response.
    ///
    /// It returns empty data if reading fails or takes longer than 5 seconds, because an error without the body is better than no error.
    package func startForError(upTo limit: Int, time: any TimeSource) async -> Data {
        let start = try? await race(
            { () async throws(HTTPError) in try await peek(upTo: limit) }, until: time.instant + HTTPBody.patience, time: time
        ) { ErrorContext() }
        return start ?? Data()
    }
}
