/// The errors of a decoding. Coding paths are computed only for errors and on request.
extension JSONDecodingState {
    /// The error for a value of the wrong kind, or for null.
    @inline(never)
    func mismatch(_ type: Any.Type, _ place: Int) -> DecodingError {
        guard !isNull(place) else {
            return .valueNotFound(type, context(place, "Expected \(JSONDecodingState.name(type)) but found null"))
        }
        return .typeMismatch(type, context(place, "Expected \(JSONDecodingState.name(type)) but found \(entry(place).kindName)"))
    }

    /// The error for a value of the right kind with invalid content.
    @inline(never)
    func corrupted(_ place: Int, _ text: String) -> DecodingError { .dataCorrupted(context(place, text)) }

    /// The error for a number that the type cannot represent.
    @inline(never)
    func notRepresentable(_ type: Any.Type, _ place: Int) -> DecodingError {
        corrupted(place, "The number \(index.numberText(entry(place)).prefix(40)) is not representable as \(type)")
    }

    /// The error for a missing key.
    @inline(never)
    func notFound(_ key: some CodingKey, _ object: Int) -> DecodingError {
        .keyNotFound(key, context(object, "No value is associated with the key “\(key.stringValue)”"))
    }

    private func context(_ place: Int, _ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path(place), debugDescription: text)
    }

    private static func name(_ type: Any.Type) -> String {
        if type == [String: Any].self { return "an object" }
        return type == [Any].self ? "an array" : "\(type)"
    }
}
