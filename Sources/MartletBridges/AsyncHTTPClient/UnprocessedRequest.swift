#if AsyncHTTPClient
internal import MartletEssentials
internal import NIOCore
internal import NIOHTTP2

/// The failure of a request over HTTP/2 that its server has not processed, so that any request may be sent again (RFC 9113 §8.7).
///
/// async-http-client passes on how NIO ended the stream. That a connection that its server retires (GOAWAY) ended streams, NIO reports as
/// if the server had cancelled each of them.
struct UnprocessedRequest: Error {
    /// The error of NIO.
    let cause: any Error

    /// Returns the failure if an error of a stream shows that the server has not processed its request, and nil otherwise.
    ///
    /// - Parameter lastStream: The last stream that the server will process, as it said when it retired the connection. Nil if it did not.
    init?(_ error: any Error, lastStream: HTTP2StreamID?) {
        let cause = (error as? NIOHTTP2Errors.StreamError)?.baseError ?? error
        switch cause {
        case let closed as NIOHTTP2Errors.StreamClosed:
            guard closed.errorCode == .refusedStream || lastStream.map({ closed.streamID > $0 }) == true else { return nil }
        // Nothing of the request was sent.
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: break
        default: return nil
        }
        self.cause = cause
    }

    /// Notes which streams the server of a connection will process. It comes behind the handler of streams, which passes on the frames of
    /// the whole connection only.
    final class RetiredConnection: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame

        private(set) var lastStream: HTTP2StreamID?

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .goAway(let last, _, _) = unwrapInboundIn(data).payload { lastStream = lastStream.map { min($0, last) } ?? last }
            context.fireChannelRead(data)
        }
    }

    /// Turns the error of a stream into an ``UnprocessedRequest`` if it is one.
    final class Stream: ChannelInboundHandler {
        typealias InboundIn = Any

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            let connection = try? context.channel.parent?.pipeline.syncOperations.handler(type: RetiredConnection.self)
            context.fireErrorCaught(UnprocessedRequest(error, lastStream: connection?.lastStream) ?? error)
        }
    }
}
#endif
