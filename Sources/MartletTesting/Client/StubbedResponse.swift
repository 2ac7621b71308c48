public import MartletEssentials

/// A response of an ``HTTPClientMock`` to calls of one endpoint type: a value, an error, or a response that is validated and decoded.
///
/// ```swift
/// mock.on(GetUser.self, .status(503), .value(ada).delayed(by: .seconds(1)))
/// ```
public struct StubbedResponse<Response: Sendable>: Sendable {
    let answer: ClientStub<any Endpoint, HTTPError>.Answer
    var delay = Duration.zero

    private init(_ answer: ClientStub<any Endpoint, HTTPError>.Answer) { self.answer = answer }

    /// Responds with this decoded value and status 200.
    public static func value(_ value: Response) -> Self { Self(.value(value)) }

    /// Makes the call throw this error in place of a response.
    public static func failure(_ error: HTTPError) -> Self { Self(.failure(error)) }

    /// Responds with this status and body, which is decoded, or throws `.statusCode` if the endpoint does not accept the status.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:], body: Data = Data()) -> Self {
        Self(.response(HTTPResponse(status: status, headers: headers, body: body)))
    }

    /// Responds with this JSON as the body, which the mock's decoder decodes.
    public static func json(_ text: String, status: HTTPStatus = 200) -> Self {
        .status(status, headers: [.contentType: "application/json"], body: Data(text.utf8))
    }

    /// Responds with these server-sent events as the body, for calls that read events or the stream.
    public static func events(_ events: [MockReply.Event]) -> Self {
        .status(200, headers: [.contentType: "text/event-stream"], body: Data(events.map(\.text).joined().utf8))
    }

    /// Responds with server-sent events that have only these data, for calls that read events or the stream. See ``events(_:)``.
    @_disfavoredOverload
    public static func events(_ data: [String]) -> Self { events(data.map { MockReply.Event($0) }) }

    /// Returns the response with a delay before it, measured by the mock's time source.
    public func delayed(by duration: Duration) -> Self {
        var answer = self
        answer.delay = duration
        return answer
    }
}
