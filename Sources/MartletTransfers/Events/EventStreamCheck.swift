/// Checks whether a response is an event stream.
enum EventStreamCheck {
    private static let mediaType = "text/event-stream"
    /// The maximum number of bytes of another body that the error contains.
    private static let keptBytes = 64 * 1024

    /// Throws `.decodingFailed`, with the start of the body, if the content type is not `text/event-stream` (WHATWG HTML §9.2.3).
    static func check(_ response: HTTPResponse<HTTPBody>, time: any TimeSource) async throws(HTTPError) {
        let type = response.headers.values(for: .contentType).last
        if let type, MediaType(type)?.essence == mediaType { return }
        let start = await response.body.startForError(upTo: keptBytes, time: time)
        if Task.isCancelled { throw .cancelled }
        let reason = type.map { "the content type is “\(Redaction.line($0, limit: 80))”" } ?? "there is no content type"
        throw .decodingFailed(
            DecodingFailure(
                type: mediaType, reason: reason, response: response.map { _ in start },
                context: ErrorContext(request: response.metadata.request, stage: .validation)))
    }
}
