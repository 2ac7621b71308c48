#if SwiftOpenAPI
public import HTTPTypes
public import MartletClient
public import MartletEssentials
internal import MartletSystem
public import OpenAPIRuntime

/// A transport for code that swift-openapi-generator writes, which sends its calls with a Martlet client.
///
/// ```swift
/// let http = HTTPClient(interceptors: StandardInterceptors(authentication: AuthInterceptor(tokens)).list)
/// let client = Client(serverURL: try Servers.Server1.url(), transport: MartletClientTransport(http))
/// let response = try await client.getUser(path: .init(id: 1))
/// ```
///
/// Each call passes the client's interceptors and observers, so that it is signed in, retried, cached, logged and traced as any other call.
///
/// - The server URL is the base URL. If the client has none of its own, its interceptors take the server URL for it, and send credentials
///   there.
/// - The operation's ID is the name of the call, and stands for the path's template in logs and metrics.
/// - Responses of all statuses are returned, because the generated code distinguishes them.
/// - Bodies are streamed both ways, only as fast as they are read. Small ones of a known length are in memory, so that they can be sent and
///   read again.
/// - Errors are `HTTPError`, which generated code throws as `ClientError.underlyingError`.
public struct MartletClientTransport: ClientTransport {
    private let client: HTTPClient
    private let options: CallOptions
    /// The client without a base URL of its own, with the server URL of the last call as its base URL.
    private let based = Locked<HTTPClient?>(nil)

    /// The largest body that is kept in memory.
    private static let smallBody = 64 * 1024

    /// Creates a transport over a client.
    ///
    /// - Parameters:
    ///   - client: The client that sends the calls.
    ///   - options: The options of every call. A validation among them makes calls throw `.statusCode` for other statuses. Default: none.
    public init(_ client: HTTPClient, options: CallOptions = CallOptions()) {
        self.client = client
        self.options = options
    }

    /// Sends the request of an operation, and returns its response as soon as its head has arrived.
    ///
    /// - Parameters:
    ///   - request: The method, the path with its query, and the header fields. Scheme and authority are those of the server URL.
    ///   - body: The body. It is sent again only if it can be iterated multiple times.
    ///   - baseURL: The server URL. A slash at its end and the one at the start of the path become one.
    ///   - operationID: The ID of the operation.
    /// - Throws: `HTTPError`.
    public func send(
        _ request: HTTPTypes::HTTPRequest, body: OpenAPIRuntime::HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPTypes::HTTPResponse, OpenAPIRuntime::HTTPBody?) {
        let client = client(for: baseURL)
        var operation = Request<Data>(
            method: HTTPMethod(request.method), path: Path(raw: request.path ?? "", template: operationID),
            headers: try MartletHTTP::HTTPFields(sending: request.headerFields))
        operation.baseURL = baseURL
        operation.endpointName = operationID
        operation.validation = .none
        if let body {
            operation.body = try await requestBody(body, for: client)
            // That the operation has a body is what the document says, and no mistake.
            operation.options.allowsGETBody = true
        }
        let response = try await client.stream(operation, options: options)
        do throws(HTTPError) {
            let head = try HTTPTypes::HTTPResponse(response)
            guard request.method != .head, !response.status.forbidsContent else { return (head, nil) }
            return (head, try await MartletClientTransport.body(of: response, client.time))
        } catch { throw error.completed(ifKnown: response.metadata.request, stage: .body) }
    }

    /// Returns the client, with the server URL as its base URL if it has none.
    private func client(for serverURL: URL) -> HTTPClient {
        if client.baseURL != nil { return client }
        return based.withLock { based in
            if let based, based.baseURL == serverURL { return based }
            let made = client.with { $0.baseURL = serverURL }
            based = made
            return made
        }
    }

    /// Returns the body as a stream, or in memory if it is small and can be iterated again, so that it can be signed and logged.
    private func requestBody(_ body: OpenAPIRuntime::HTTPBody, for client: HTTPClient) async throws(HTTPError) -> RequestBody {
        var length: Int64?
        if case .known(let known) = body.length { length = known }
        let stream = MartletHTTP::HTTPBody(body, length: length, replayable: body.iterationBehavior == .multiple)
        guard stream.isReplayable, let length, length <= MartletClientTransport.smallBody else { return .stream(stream) }
        let limit = (options.timeout ?? client.configuration.totalTimeout)?.ifLimited
        let deadline = limit.map { client.time.instant + $0 }
        do throws(HTTPError) {
            let data = try await MartletClientTransport.collected(stream.sent(), stage: .request, by: deadline, client.time)
            if data.count == length { return .data(data) }
        } catch {
            guard case .responseTooLarge = error else { throw error }
        }
        // A body of another length than it declares fails when it is sent.
        return .stream(stream)
    }

    /// Returns the body of a response as it arrives. A small one of a known length is read now, within the time limit of the call, so that
    /// the call ends even if the body is never read.
    private static func body(
        of response: MartletHTTP::HTTPResponse<MartletHTTP::HTTPBody>, _ time: any TimeSource
    ) async throws(HTTPError) -> OpenAPIRuntime::HTTPBody {
        let body = response.body
        if let data = body.buffered { return OpenAPIRuntime::HTTPBody(data) }
        guard let length = body.length else { return OpenAPIRuntime::HTTPBody(body, length: .unknown, iterationBehavior: .single) }
        guard length <= smallBody else { return OpenAPIRuntime::HTTPBody(body, length: .known(length), iterationBehavior: .single) }
        return OpenAPIRuntime::HTTPBody(try await collected(body, stage: .body, by: response.metadata.request?.context.deadline, time))
    }

    private static func collected(
        _ body: MartletHTTP::HTTPBody, stage: ErrorContext.Stage, by deadline: ContinuousClock.Instant?, _ time: any TimeSource
    ) async throws(HTTPError) -> Data {
        let collect = { @Sendable () async throws(HTTPError) in try await body.collect(upTo: smallBody) }
        guard let deadline else { return try await collect() }
        return try await race(collect, until: deadline, time: time) { ErrorContext(stage: stage) }
    }
}
#endif
