#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension HTTPError {
    /// What a decoder threw, as an error that says which type, where and why.
    package init(decoding error: any Error, as type: Any.Type, from response: HTTPResponse<Data>) {
        if let error = error as? HTTPError {
            self = error
            return
        }
        let (path, reason) = Self.explain(error)
        self = .decodingFailed(
            DecodingFailure(
                type: "\(type)", codingPath: path, reason: reason, response: response,
                context: ErrorContext(stage: .decoding, underlying: error)))
    }

    private static func explain(_ error: any Error) -> (path: String, reason: String) {
        guard let error = error as? DecodingError else { return ("", "\(error)") }
        switch error {
        case .keyNotFound(let key, let context): return (text(context.codingPath + [key]), "the key is missing")
        case .valueNotFound(let type, let context): return (text(context.codingPath), "\(type) was expected and null was found")
        case .typeMismatch(let type, let context):
            return (text(context.codingPath), "\(type) was expected; \(Redaction.text(context.debugDescription))")
        case .dataCorrupted(let context): return (text(context.codingPath), Redaction.text(context.debugDescription))
        @unknown default: return ("", "\(error)")
        }
    }

    /// `items[3].id`
    private static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return text + "[\(index)]" }
            return text.isEmpty ? key.stringValue : text + "." + key.stringValue
        }
    }
}

extension ResponseDecoding {
    /// The response with its body decoded. Throws `.decodingFailed`, or the `HTTPError` that the decoding threw.
    package func value(of response: HTTPResponse<Data>, with decoder: any BodyDecoder) throws(HTTPError) -> HTTPResponse<Value> {
        do { return try response.map { _ in try decode(response, decoder) } } catch {
            throw HTTPError(decoding: error, as: Value.self, from: response)
        }
    }
}
