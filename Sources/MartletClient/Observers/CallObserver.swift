public import MartletEssentials

/// Sees every call of a client from its start to its outcome, including the validation and decoding of the response.
///
/// ```swift
/// struct FailureCount: CallObserver {
///     func observe(_ event: CallEvent, of call: CallInfo) {
///         if case .ended(.failure(let error), _) = event { print(call.name, error) }
///     }
/// }
/// let client = HTTPClient(baseURL: url, transport: transport, observers: [FailureCount()])
/// ```
///
/// Observers are outside the chain of interceptors: they can't change a call, and they see errors that interceptors can't, such as
/// `.decodingFailed`. A client without observers does no work for them.
///
/// Each call begins with `.started`, ends with `.ended`, and has events in between in the order in which they happened. A stream ends with
/// its body; a download, an event stream, a subscription or a chain of requests that belong together is one call. Events of different
/// calls, and those of parallel attempts of one call, may arrive at the same time. An attempt that the end of its call interrupts, such as
/// the slower one of a hedged request, has no event of its own end.
///
/// Events contain requests and responses with their secrets. An observer that stores or shows them must redact them; their descriptions
/// are redacted.
public protocol CallObserver: Sendable {
    /// Called for each event of each call, on the task of the call. It must return quickly: the call waits for it.
    func observe(_ event: CallEvent, of call: CallInfo)
}

/// Facts about a call that do not change while it runs.
public struct CallInfo: Sendable {
    /// How the caller reads the response.
    @nonexhaustive public enum Kind: String, Sendable, Hashable {
        /// One response in memory: `send`, `response` or `result`.
        case request
        /// A body that is read as it arrives.
        case stream
        /// Server-sent events, with their reconnections.
        case events
        /// A download to a file, with its resumptions.
        case download
        /// An upload in parts.
        case upload
        /// A GraphQL operation, or a batch of them.
        case graphQL
    }

    /// A GraphQL operation of a call.
    public struct Operation: Sendable, Hashable {
        /// The name of the operation, or nil.
        public let name: String?
        /// `query`, `mutation` or `subscription`.
        public let type: String

        /// Creates a value to compare with ``CallInfo/operations``.
        public init(name: String?, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// A number that no other call of this process has.
    public let id: UInt64
    /// How the caller reads the response.
    public let kind: Kind
    /// The endpoint's name, such as `GetUser`, `API.detail` or `GET users/{}`.
    public let name: String
    /// The path with `{}` in place of each interpolated value, such as `users/{}`, or empty for a full URL.
    public let pathTemplate: String
    /// The GraphQL operations of the call.
    public let operations: [Operation]
    /// The tags of the call's options.
    public let tags: Set<String>
    /// The start of the call on the wall clock.
    public let start: Date
    /// The method of the endpoint, for a call without a request, or nil if it is unknown.
    package let method: HTTPMethod?
    /// The type of the value that the caller gets, or nil if it is unknown.
    package let valueType: Any.Type?
}
