public import MartletClient
public import MartletEssentials
internal import MartletHTTP

// The variant for `Request<Data>` is for `.get("chat")`, whose response type nothing names. That for `Request<Response>` is for static
// members of `Request`, which can only be found through a parameter of this type.

extension EndpointClient {
    /// Opens a WebSocket connection (RFC 6455).
    ///
    /// ```swift
    /// let socket = try await client.webSocket(.get("chat"), protocols: ["chat.v2"])
    /// ```
    ///
    /// The handshake is a GET request of the client: with its base URL, header fields, cookies and interceptors, its time limits and its
    /// observers. A 401 is answered with a new credential, and redirects are followed by the client's policy; with subprotocols, which may
    /// be tokens, only on the same origin, unless `harmlessFields` has `Sec-WebSocket-Protocol`. The schemes `ws` and `wss` mean the same
    /// as `http` and `https`. The response type and the validation of the request are ignored. Nothing is cached, shared or hedged.
    ///
    /// The connection is a call of the client until it ends: `cancelAll()` closes it.
    ///
    /// - Parameters:
    ///   - endpoint: What to connect to. Its method must be GET.
    ///   - protocols: The subprotocols that the app speaks, the preferred one first. Default: none.
    ///   - options: Limits, time limits and the options of the handshake.
    /// - Throws: `.statusCode` if the server refuses with another status than 101, `.invalidResponse` if its 101 violates RFC 6455,
    ///   `.invalidRequest` for another method or an invalid subprotocol, `.engineUnavailable` over a transport that opens no WebSockets
    ///   (`Transport.opensWebSockets`), and the errors of any call.
    @_disfavoredOverload
    @concurrent public func webSocket<E: Endpoint>(
        _ endpoint: E, protocols: [String] = [], options: WebSocketOptions = WebSocketOptions()
    ) async throws(Failure) -> WebSocket {
        let opening = WebSocketOpening(endpoint, protocols, client: httpClient, options: options)
        do throws(HTTPError) { return try await opening.open() } catch { throw failure(for: error) }
    }

    /// Opens a WebSocket connection (RFC 6455). See `webSocket(_:protocols:options:)` for endpoints.
    @_disfavoredOverload
    @concurrent public func webSocket<Response: Sendable>(
        _ request: Request<Response>, protocols: [String] = [], options: WebSocketOptions = WebSocketOptions()
    ) async throws(Failure) -> WebSocket {
        let opening = WebSocketOpening(request, protocols, client: httpClient, options: options)
        do throws(HTTPError) { return try await opening.open() } catch { throw failure(for: error) }
    }

    /// Opens a WebSocket connection (RFC 6455). See `webSocket(_:protocols:options:)` for endpoints.
    @concurrent public func webSocket(
        _ request: Request<Data>, protocols: [String] = [], options: WebSocketOptions = WebSocketOptions()
    ) async throws(Failure) -> WebSocket {
        let opening = WebSocketOpening(request, protocols, client: httpClient, options: options)
        do throws(HTTPError) { return try await opening.open() } catch { throw failure(for: error) }
    }
}
