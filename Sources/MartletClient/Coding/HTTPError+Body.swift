extension HTTPError {
    /// Returns the body of the response decoded as `type`, or nil if there is no response or its body cannot be decoded.
    ///
    /// - Parameter decoder: the decoder. Default: nil, that of the client which sent the request, or `.json`.
    public func decodeBody<Value: Decodable>(as type: Value.Type = Value.self, using decoder: (any BodyDecoder)? = nil) -> Value? {
        guard let body = response?.body else { return nil }
        let decoder = decoder ?? (request?.context.services as? ClientServices)?.decoder ?? .json
        return try? decoder.decode(type, from: body)
    }

    /// Returns the body of an endpoint's error response as the type that the endpoint declares, or nil if there is no such body.
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
