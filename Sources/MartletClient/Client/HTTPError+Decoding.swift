package import MartletEssentials

extension HTTPError {
    /// Creates an error from a decoder's error. It names the type, the coding path and the reason.
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
