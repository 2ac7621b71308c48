extension HTTPError {
    /// The body of the response as a type of your own: what the server said was wrong, in its own words.
    ///
    /// Nil when there was no response or its body is not such a value.
    /// - Parameter decoder: `.json` unless given.
    public func decodeBody<Value: Decodable>(as type: Value.Type = Value.self, using decoder: any BodyDecoder = .json) -> Value? {
        guard let body = response?.body else { return nil }
        return try? decoder.decode(type, from: body)
    }
}
