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
    /// A step of the call's trace ended.
    case step(CallTrace.Step)
    /// The call has ended. No event follows. A success means that the caller got its value, or read a body to its end; it has the last
    /// response, or nil if there was none. A failure has the error that the caller got, of whatever stage.
    case ended(Result<HTTPResponse<Void>?, HTTPError>, after: Duration)
}

/// How a call ended.
package typealias CallOutcome = Result<HTTPResponse<Void>?, HTTPError>
