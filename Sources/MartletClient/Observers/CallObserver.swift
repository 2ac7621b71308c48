public import MartletEssentials
internal import MartletSystem

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
        /// A WebSocket connection, with its reconnections.
        case webSocket
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

    // One reference, because observers and their entries copy the value.
    private let facts: Facts
    /// What changes while the call runs.
    var state: Locked<ObservedCall.State> { facts.state }

    /// The values, which copies share, and what changes while the call runs.
    private final class Facts: Sendable {
        let id: UInt64
        let kind: Kind
        let name: String
        let pathTemplate: String
        let operations: [Operation]
        let tags: Set<String>
        let start: Date
        let method: HTTPMethod?
        let valueType: Any.Type?
        let state = Locked(ObservedCall.State())

        init(
            id: UInt64, kind: Kind, name: String, pathTemplate: String, operations: [Operation], tags: Set<String>, start: Date,
            method: HTTPMethod?, valueType: Any.Type?
        ) {
            self.id = id
            self.kind = kind
            self.name = name
            self.pathTemplate = pathTemplate
            self.operations = operations
            self.tags = tags
            self.start = start
            self.method = method
            self.valueType = valueType
        }
    }

    init(
        id: UInt64, kind: Kind, name: String, pathTemplate: String, operations: [Operation], tags: Set<String>, start: Date,
        method: HTTPMethod?, valueType: Any.Type?
    ) {
        facts = Facts(
            id: id, kind: kind, name: name, pathTemplate: pathTemplate, operations: operations, tags: tags, start: start, method: method,
            valueType: valueType)
    }

    /// A number that no other call of this process has.
    public var id: UInt64 { facts.id }
    /// How the caller reads the response.
    public var kind: Kind { facts.kind }
    /// The endpoint's name, such as `GetUser`, `API.detail` or `GET users/{}`.
    public var name: String { facts.name }
    /// The path with `{}` in place of each interpolated value, such as `users/{}`, or empty for a full URL.
    public var pathTemplate: String { facts.pathTemplate }
    /// The GraphQL operations of the call.
    public var operations: [Operation] { facts.operations }
    /// The tags of the call's options.
    public var tags: Set<String> { facts.tags }
    /// The start of the call on the wall clock.
    public var start: Date { facts.start }
    /// The method of the endpoint, for a call without a request, or nil if it is unknown.
    package var method: HTTPMethod? { facts.method }
    /// The type of the value that the caller gets, or nil if it is unknown.
    package var valueType: Any.Type? { facts.valueType }
}

// What observers keep of a running call is kept with it: an event finds it with 120 instructions, and by the call's number in a dictionary
// with 250.
extension CallInfo {
    /// Returns what an observer keeps of the call, or nil.
    package func state(of observer: AnyObject) -> (any AnyObject & Sendable)? {
        state.withLock { state in state.kept.first { $0.observer == ObjectIdentifier(observer) }?.state }
    }

    /// Keeps an observer's state of the call until ``endState(of:)``. Returns false if it has one, as an observer that a client has twice.
    @discardableResult
    package func keep(_ state: any AnyObject & Sendable, of observer: AnyObject) -> Bool {
        facts.state.withLock { call in
            let observer = ObjectIdentifier(observer)
            if call.kept.contains(where: { $0.observer == observer }) { return false }
            call.kept.append((observer, state))
            return true
        }
    }

    /// Removes and returns what an observer keeps of the call, or nil.
    package func endState(of observer: AnyObject) -> (any AnyObject & Sendable)? {
        state.withLock { state in
            let observer = ObjectIdentifier(observer)
            return state.kept.firstIndex { $0.observer == observer }.map { state.kept.remove(at: $0).state }
        }
    }
}
