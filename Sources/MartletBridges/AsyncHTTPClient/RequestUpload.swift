#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import MartletEssentials
internal import MartletHTTP
internal import NIOCore

extension OutgoingRequest.Body {
    /// Returns the body as async-http-client sends it, or nil if there is none.
    ///
    /// - Parameters:
    ///   - group: The event loops on one of which async-http-client learns of the end of the body.
    ///   - exchange: Ends the reading of the body when it ends.
    func body(on group: any EventLoopGroup, for exchange: Exchange) -> AsyncHTTPClient::HTTPClient.Body? {
        switch self {
        case .none: nil
        case .bytes(let data): .bytes(data)
        case .chunks(let body, let length):
            .stream(contentLength: length) { [weak exchange] writer in
                let sent = group.any().makePromise(of: Void.self)
                let reading = Task {
                    do {
                        try await OutgoingRequest.send(body, to: writer)
                        sent.succeed(())
                    } catch { sent.fail(error) }
                }
                if let exchange { exchange.prepare(with: reading) } else { reading.cancel() }
                return sent.futureResult
            }
        }
    }
}

extension OutgoingRequest {
    /// Writes the chunks of a body, each when the connection has taken the one before.
    fileprivate static func send(_ body: HTTPBody, to writer: AsyncHTTPClient::HTTPClient.Body.StreamWriter) async throws {
        var chunks = PromisedChunks(body)
        while let chunk = try await chunks.next() {
            // An empty chunk would end a chunked body.
            if !chunk.isEmpty { try await writer.write(.byteBuffer(ByteBuffer(bytes: chunk))).get() }
        }
    }
}
#endif
