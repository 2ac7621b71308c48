public import MartletEssentials

// The journey of a call, top to bottom:
//
//     endpoint → HTTPRequest → total deadline → redirects → interceptors → exchange with the transport
//                                   value ← decoded ← validated ← collected ← HTTPResponse
//
// Redirects are followed outside the interceptors, so that each hop is authenticated, cached and retried as a request of its own.

extension HTTPClient {
    /// Sends an endpoint and returns its response with the body decoded by `decoding`; throws for a status that is not accepted.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        let observed = observe(.request, endpoint, options, valueType: Value.self)
        do throws(HTTPError) {
            let call = try Call(
                endpoint, options, observed, accept: decoding.usesDecoder ? settings.components.decoder.accept : "*/*",
                delivery: .buffered, settings)
            defer { call.ticket.end() }
            let response =
                call.endsByItself
                ? try call.value(of: try await call.response(), as: decoding) : try await call.valueWithinDeadline(as: decoding)
            observed?.succeeded(response)
            return response
        } catch {
            observed?.ended(.failed(error))
            throw error
        }
    }

    /// Sends an endpoint and returns the response as soon as its head has arrived, with a body to read as it arrives.
    @concurrent public func stream<E: Endpoint>(
        _ endpoint: E, options: CallOptions
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let observed = observe(.stream, endpoint, options)
        let call: Call
        do throws(HTTPError) {
            call = try Call(endpoint, options, observed, accept: "*/*", delivery: .streamed, settings)
        } catch {
            observed?.ended(.failed(error))
            throw error
        }
        do throws(HTTPError) {
            let call = try await call.examined()
            let response = try await call.withinDeadline { () throws(HTTPError) in
                let response = try await call.followingRedirects()
                guard call.validation.accepts(response.status) else { throw await call.refusal(of: response) }
                return response
            }
            // The call keeps running until the body ends.
            let end: @Sendable (HTTPError?) -> Void = { [ticket = call.ticket, head = response.map { _ in }] error in
                ticket.end()
                observed?.ended(error.map { .failed($0) } ?? .succeeded(head))
            }
            return response.map { $0.ending(call.ticket, end).answering(response.metadata.request ?? call.request) }
        } catch {
            call.ticket.end()
            observed?.ended(.failed(error))
            throw error
        }
    }
}

extension Request {
    /// Returns the request message with its URL, header fields and encoded body, without sending it and without the additions of a client.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL for a request with a path. Default: nil.
    ///   - encoder: The encoder for the body and the query. Default: `.json`.
    ///   - decoder: The decoder whose media type `Accept` names. Default: `.json`.
    /// - Throws: The error that sending would throw before the first byte: `.invalidURL`, `.invalidRequest` or `.encodingFailed`.
    public func httpRequest(
        baseURL: URL? = nil, encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json
    ) throws(HTTPError) -> HTTPRequest {
        try request(baseURL: baseURL, accept: decoding.usesDecoder ? decoder.accept : "*/*", encoder: encoder)
    }
}

extension Endpoint {
    /// Returns the checked request, without the additions of the client and its interceptors.
    ///
    /// - Parameter examinesFiles: Whether the files of the body are examined on this thread, which may block as long as their file systems
    ///   do. Otherwise the request has no body if its body has files. Default: true.
    package func request(
        _ callOptions: CallOptions = CallOptions(), baseURL: URL?, accept: String, encoder: any BodyEncoder, examinesFiles: Bool = true
    ) throws(HTTPError) -> HTTPRequest {
        let body = body
        var request = try HTTPRequest(
            self, options.overridden(by: callOptions), body: body, examinesFiles: examinesFiles, base: baseURL.map(BaseURL.init),
            accept: accept, encoder: encoder, defaults: .none, harmless: [])
        if examinesFiles || body?.hasFiles != true { try request.check() }
        return request
    }
}
