internal import MartletEssentials

// The journey of a call, top to bottom:
//
//     endpoint → CallPlan → deadline → redirects → interceptors → Exchange → transport
//                     value ← decoded ← validated ← collected ← HTTPResponse
//
// Redirects are followed outside the interceptors, so that each hop is authenticated, cached and retried as a request of its own.

extension HTTPClient {
    /// Sends an endpoint and returns its response with the body decoded by `decoding`; throws for a status that is not accepted.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        let accept = decoding.usesDecoder ? settings.components.decoder.accept : "*/*"
        let call = try begin(.request, endpoint, options, accept: accept, streamsBody: false, valueType: Value.self)
        return try await call.run { call throws(HTTPError) in
            var response = try await call.response()
            try await call.collect(&response)
            return try call.plan.value(of: consume response, as: decoding, with: call.settings.components.decoder)
        }
    }

    /// Sends an endpoint and returns the response as soon as its head has arrived, with a body to read as it arrives.
    @concurrent public func stream<E: Endpoint>(
        _ endpoint: E, options: CallOptions
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let call = try begin(.stream, endpoint, options, accept: "*/*", streamsBody: true)
        let response = try await call.run { call throws(HTTPError) in
            let response = try await call.response()
            guard call.plan.validation.accepts(response.status) else { throw await call.refusal(of: response) }
            return response
        }
        return call.handingOver(response)
    }
}

extension Call {
    /// Sends the request, and the requests that redirects lead to. Returns the last response.
    nonisolated(nonsending) fileprivate func response() async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var trail = plan.trail, response: HTTPResponse<HTTPBody>
        repeat {
            response = try await settings.chain.send(trail.request)
        } while try trail.redirects(after: &response)
        return response
    }

    /// Reads the body into memory, unless it is there. A body that did not come from the transport, such as that of a cassette, may wait
    /// for its bytes.
    nonisolated(nonsending) fileprivate func collect(_ response: inout HTTPResponse<HTTPBody>) async throws(HTTPError) {
        let body = response.body, context = plan.request.context, limit = context.limits.bodyBytes
        if let bytes = body.buffered, bytes.count <= limit { return }
        do {
            response.body = HTTPBody(
                try await context.endingWithCall { () throws(HTTPError) in try await body.collect(upTo: limit) })
        } catch { throw error.completed(request: response.metadata.request ?? plan.request, stage: .body) }
    }

    /// Returns the error for a streamed response whose status is not accepted. It has the start of the body unless that takes more than 5
    /// seconds.
    fileprivate func refusal(of response: HTTPResponse<HTTPBody>) async -> HTTPError {
        let limit = min(plan.request.context.limits.bodyBytes, 1_000_000)
        let start = await response.body.startForError(upTo: limit, time: settings.components.time)
        return .statusCode(response.map { _ in start })
    }
}
