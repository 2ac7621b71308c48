#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import MartletSystem
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2

/// Bytes that no request asked for, or the end of a connection, which have arrived on an idle connection of HTTP/1.1 (RFC 9112 §9.2).
struct UnsolicitedBytes: Error {
    /// Refuses a request on a connection on which something has arrived since the last response.
    ///
    /// NIO closes such a connection when it reads the bytes. An event loop that is busy sends a request before, and would then take the
    /// bytes for its response. async-http-client fails a request on a connection that is being closed before anything of it is sent.
    final class Check: ChannelOutboundHandler {
        /// A whole request of async-http-client: this handler is the last of a connection, and gets requests first.
        typealias OutboundIn = Any

        /// Whether the connection has had a request. Before the first one, TLS has messages of its own.
        private var isKept = false
        /// The socket, which the channel closes when it ceases to be active. Nil for channels without a socket.
        private var socket: NIOBSDSocket.Handle?

        func handlerAdded(context: ChannelHandlerContext) {
            // Once, because finding the socket takes many times as long as looking at it.
            socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        }

        func handlerRemoved(context: ChannelHandlerContext) { socket = nil }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if isKept, hasUnread(context.channel) { context.pipeline.fireErrorCaught(UnsolicitedBytes()) }
            isKept = true
            context.write(data, promise: promise)
        }

        /// Whether bytes, an end or an error wait in the socket.
        private func hasUnread(_ channel: any Channel) -> Bool {
            guard let socket, channel.isActive else { return false }
            return !IdleInput(peekingAt: socket).allowsRequest
        }
    }
}

extension AsyncHTTPClient::HTTPClient.Configuration {
    /// Lets each connection of HTTP/1.1 be checked before it is used again, learns which requests a server over HTTP/2 has not processed,
    /// and passes on responses that end early, over each version.
    mutating func watchConnections() {
        let initializer = http1_1ConnectionDebugInitializer
        http1_1ConnectionDebugInitializer = { channel in
            let added = channel.eventLoop.submit {
                try EarlyEnd.add(to: channel, after: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try channel.pipeline.syncOperations.addHandler(UnsolicitedBytes.Check())
            }
            guard let initializer else { return added }
            return added.flatMap { initializer(channel) }
        }
        let connectionInitializer = http2ConnectionDebugInitializer
        http2ConnectionDebugInitializer = { channel in
            let added = channel.eventLoop.submit { try channel.pipeline.syncOperations.addHandler(UnprocessedRequest.RetiredConnection()) }
            guard let connectionInitializer else { return added }
            return added.flatMap { connectionInitializer(channel) }
        }
        let streamInitializer = http2StreamChannelDebugInitializer
        http2StreamChannelDebugInitializer = { channel in
            let added = channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(UnprocessedRequest.Stream(), position: .first)
                try EarlyEnd.add(to: channel, after: HTTP2FramePayloadToHTTP1ClientCodec.self)
            }
            guard let streamInitializer else { return added }
            return added.flatMap { streamInitializer(channel) }
        }
    }
}
#endif
