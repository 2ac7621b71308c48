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
        guard let error = error as? DecodingError else { return ("", Redaction.quote("\(error)")) }
        switch error {
        case .keyNotFound(let key, let context): return (CodingPath.text(context.codingPath + [key]), "the key is missing")
        case .valueNotFound(let type, let context):
            return (CodingPath.text(context.codingPath), "\(type) was expected and null was found")
        case .typeMismatch(let type, let context):
            return (
                CodingPath.text(context.codingPath),
                "\(type) was expected; " + CodingPath.reason(context.debugDescription, at: context.codingPath)
            )
        case .dataCorrupted(let context):
            return (CodingPath.text(context.codingPath), CodingPath.reason(context.debugDescription, at: context.codingPath))
        @unknown default: return ("", "of a kind that is not known")
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
