#if AsyncHTTPClient
public import AsyncHTTPClient
public import MartletHTTP
internal import MartletSystem
public import NIOCore

/// The transport that sends requests with async-http-client, over connections of its own.
///
/// For servers that use SwiftNIO already, and for systems without libcurl:
///
/// ```swift
/// let transport = AsyncHTTPClientTransport(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
/// let client = HTTPClient(baseURL: url, transport: transport)
/// ```
///
/// ### Behaviour
/// - Redirects, cookies, content codings and retries are Martlet's, over every client: see ``init(_:)``.
/// - Bodies are streamed both ways, only as fast as they are read.
/// - Deadlines are exact to the millisecond, and cancelling a call ends it immediately.
/// - A request that is not idempotent is never processed twice. An idempotent one that can be replayed is sent again, once, if its
///   connection is lost before the response: the server may have closed a kept-alive connection. If nothing was sent, or if the server has
///   said that it did not process the request (RFC 9113 §8.7), each request is sent on another connection.
/// - A connection on which bytes have arrived that no request asked for is not used again (RFC 9112 §9.2).
/// - Errors keep the one of async-http-client as `HTTPError.underlying`.
///
/// ### Limitations
/// - Trailers are not available, nor are the address of a connection, whether it was reused, and how long it took to connect.
/// - Field values that are not UTF-8 can't be sent (`.invalidRequest`), and are changed when they are received.
/// - The address of a connection is not visible. For a `PrivateAddressGuard` the transport looks up the host before the request. It misses
///   changes after that lookup, and kept-alive connections.
/// - A certificate for an IP address is accepted for each name whose connection is to that address.
/// - A request that waits for a connection for longer than the connect timeout fails with `.timeout`.
/// - `RequestContext.expectContinue` is ignored: bodies are sent immediately.
public final class AsyncHTTPClientTransport: CallEndingTransport {
    /// The group of the running calls of all clients that use this transport, with which they can be cancelled and drained.
    public let calls: CallGroup? = CallGroup()

    /// The limits on bytes in memory and on content codings.
    struct Buffers: Sendable {
        var streamed = TransportConfiguration().streamBufferSize
        var codings = TransportConfiguration().maxContentCodings
    }

    private let clients: Result<Clients, HTTPError>
    private let buffers: Buffers

    /// Creates a transport with the settings and event loops of a client of the app, and connections of its own.
    ///
    /// The connections of the client are not used: the client follows redirects, which would carry credentials to other origins, and does
    /// not check connections before it uses them again. If its configuration can't be read, every request throws `.engineUnavailable`.
    ///
    /// - Parameter client: The client, whose settings of TLS, proxies, timeouts and connections are used. It may be shut down later.
    public init(_ client: AsyncHTTPClient::HTTPClient) {
        do throws(HTTPError) { clients = .success(try Clients(client)) } catch { clients = .failure(error) }
        buffers = Buffers()
    }

    /// Creates a transport with connections of its own on event loops of the app. They are closed when the transport is released, after
    /// its running requests.
    ///
    /// If async-http-client does not support a setting (pinned keys, proxies over TLS, several addresses for a name), or certificates can't
    /// be read, every request throws `.engineUnavailable` or `.invalidRequest`, and nothing is sent.
    ///
    /// - Parameters:
    ///   - eventLoopGroup: The event loops that the app owns, or `MultiThreadedEventLoopGroup.singleton`.
    ///   - configuration: The settings of TLS, proxies and connections.
    public convenience init(eventLoopGroup: any EventLoopGroup, configuration: TransportConfiguration = TransportConfiguration()) {
        self.init(eventLoopGroup, configuration) { SystemResolver.addresses(of: $0) }
    }

    /// - Parameter lookup: Returns the addresses of a name for an address policy. May block.
    init(_ eventLoopGroup: any EventLoopGroup, _ configuration: TransportConfiguration, lookup: @escaping @Sendable (String) -> [String]?) {
        do throws(HTTPError) { clients = .success(try Clients(eventLoopGroup, configuration, lookup: lookup)) } catch {
            clients = .failure(error)
        }
        buffers = Buffers(streamed: configuration.streamBufferSize, codings: configuration.maxContentCodings)
    }

    /// Always `true`: each buffered exchange has a timer.
    public var endsByDeadline: Bool { true }

    /// Always `true`: connections are kept for later requests.
    public var opensConnections: Bool { true }

    /// Sends `request` and returns its response, whatever its status.
    ///
    /// A buffered response is returned with its body. A streamed response is returned once its head has arrived.
    ///
    /// - Throws: An `HTTPError` if there is no response, and `.cancelled` if the task or the call is cancelled.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let clients = try clients.get()
        if Task.isCancelled { throw .cancelled(ErrorContext(stage: .exchange)) }
        if request.context.addressPolicy != nil { try await clients.checkAddress(of: request) }
        let request = request.hasEmptyStream ? try await request.readingEmptyStream() : request
        let outgoing = try OutgoingRequest(request, route: clients.route)
        var repetitions = Repetitions(
            isIdempotent: request.isIdempotent, isReplayable: request.isReplayable, mayBeStale: clients.haveServed)
        while true {
            let exchange = Exchange(request, decodes: outgoing.decodes, clients, buffers)
            do throws(HTTPError) { return try await send(outgoing, for: request, exchange, clients) } catch {
                guard repetitions.allow(after: error, exchange.reach) else { throw error }
            }
        }
    }

    private func send(
        _ outgoing: OutgoingRequest, for request: HTTPRequest, _ exchange: Exchange, _ clients: Clients
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let sent = try clients.makeRequest(outgoing, for: request, exchange)
        let seat = try clients.seat(for: request)
        return try await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                // First, so that nothing is sent for a call that is cancelled already.
                request.context.call?.waits(for: exchange)
                exchange.start(waiter, sent, on: seat)
            }
        } onCancel: {
            exchange.cancel()
        }.get()
    }
}
#endif
