public import MartletEssentials

/// What an ``HTTPClientMock`` answers to a call of one type of endpoint: a value, an error, or a response that is decoded for real.
///
/// ```swift
/// mock.on(GetUser.self, .status(503), .value(ada).delayed(by: .seconds(1)))
/// ```
public struct StubbedResponse<Response: Sendable>: Sendable {
    let answer: ClientStub<any Endpoint, HTTPError>.Answer
    var delay = Duration.zero

    private init(_ answer: ClientStub<any Endpoint, HTTPError>.Answer) { self.answer = answer }

    /// The value, with status 200.
    public static func value(_ value: Response) -> Self { Self(.value(value)) }

    /// An error instead of an answer.
    public static func failure(_ error: HTTPError) -> Self { Self(.failure(error)) }

    /// A response with this status and body: an error, `.statusCode`, when the endpoint's validation does not accept the status; else
    /// the body is decoded with the mock's decoder.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:], body: Data = Data()) -> Self {
        Self(.response(HTTPResponse(status: status, headers: headers, body: body)))
    }

    /// A response with this JSON as body, decoded with the mock's decoder.
    public static func json(_ text: String, status: HTTPStatus = 200) -> Self {
        .status(status, headers: [.contentType: "application/json"], body: Data(text.utf8))
    }

    /// A response with these server-sent events as body, for calls that read events or the stream.
    public static func events(_ events: [MockReply.Event]) -> Self {
        .status(200, headers: [.contentType: "text/event-stream"], body: Data(events.map(\.text).joined().utf8))
    }

    /// A response with server-sent events that have the given data: see ``events(_:)``.
    @_disfavoredOverload
    public static func events(_ data: [String]) -> Self { events(data.map { MockReply.Event($0) }) }

    /// The answer, after a wait on the mock's time.
    public func delayed(by duration: Duration) -> Self {
        var answer = self
        answer.delay = duration
        return answer
    }
}
