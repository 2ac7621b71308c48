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
        let (path, reason) = (error as? DecodingError).map { CodingPath.explain(decoding: $0) } ?? ("", CodingPath.explain(error))
        self = .decodingFailed(
            DecodingFailure(
                type: "\(type)", codingPath: path, reason: reason, response: response,
                context: ErrorContext(stage: .decoding, underlying: error)))
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
