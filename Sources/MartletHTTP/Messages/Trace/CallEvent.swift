public import MartletEssentials

/// An event of a running call, as observers see it.
@nonexhaustive public enum CallEvent: Sendable {
    /// The call has begun with this request. It is nil if the call ends without a request, because it can't be created or is not needed.
    /// Interceptors may change the request. A call whose request is refused before it is sent, such as one with an invalid field, begins
    /// with that request and ends immediately.
    case started(HTTPRequest?)
    /// An attempt begins: the transport gets this request, without its context. Attempts are numbered from 1 within the call.
    case attemptStarted(Int, HTTPRequest)
    /// The head of an attempt's response has arrived. For a buffered body, the body has arrived too.
    case headReceived(Int, HTTPResponse<Void>)
    /// Bytes of the body of an attempt's response have arrived: the whole body if it is buffered, a piece of it if it is streamed.
    case bodyReceived(Int, Data)
    /// A message of a WebSocket was sent, or has arrived.
    case message(CallMessage)
    /// A step of the call's trace ended.
    case step(CallTrace.Step)
    /// The call has ended. No event follows. A success means that the caller got its value, or read a body to its end; it has the last
    /// response, or nil if there was none. A failure has the error that the caller got, of whatever stage.
    case ended(Result<HTTPResponse<Void>?, HTTPError>, after: Duration)
}

/// A message of a WebSocket, as observers see it.
public struct CallMessage: Sendable, Hashable {
    /// The direction of a message.
    public enum Direction: String, Sendable, Hashable {
        /// From the client to the server.
        case sent
        /// From the server to the client.
        case received
    }

    /// Whether the client has sent or received the message.
    public let direction: Direction
    /// The content: UTF-8 if ``isText``. It may contain secrets.
    public let content: Data
    /// Whether the message is a text.
    public let isText: Bool

    /// Creates a message.
    public init(_ direction: Direction, content: Data, isText: Bool) {
        self.direction = direction
        self.content = content
        self.isText = isText
    }
}

/// How a call ended.
package typealias CallOutcome = Result<HTTPResponse<Void>?, HTTPError>
