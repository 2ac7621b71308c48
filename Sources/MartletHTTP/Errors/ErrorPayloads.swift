#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What was wrong, in words for developers, with the context around it. Two are equal when their words are.
public struct Explanation: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// What was wrong. Secrets are left out by whoever writes it.
    public let text: String
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// An explanation.
    public init(_ text: String, context: ErrorContext = .init()) {
        self.text = text
        self.context = context
    }

    /// An explanation without a context.
    public init(stringLiteral value: String) { self.init(value) }

    /// The words.
    public var description: String { text }
}

/// A failure of the network, told apart by what a program can do about it.
public struct NetworkFailure: Sendable {
    /// What failed.
    @nonexhaustive public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The host's name has no address.
        case hostNotFound
        /// Nobody listens there.
        case connectionRefused
        /// The host or network can't be reached.
        case unreachable
        /// The connection was lost while the request was sent or the response received. The stage is `.body` if the head had arrived.
        case connectionLost
        /// The proxy could not be found or refused to connect.
        case proxyFailed
        /// Anything else; the explanation has the transport's words.
        case other
    }

    /// What failed.
    public let kind: Kind
    /// The transport's own words.
    public let explanation: String
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A failure of the network.
    public init(_ kind: Kind, _ explanation: String = "", context: ErrorContext = .init()) {
        self.kind = kind
        self.explanation = explanation
        self.context = context
    }
}

/// A body that could not be decoded: which type was wanted, where it failed, and how the body begins.
public struct DecodingFailure: Sendable {
    /// The name of the type that was wanted.
    public let type: String
    /// Where in the document: `items[3].id`; empty at its root.
    public let codingPath: String
    /// The decoder's words.
    public let reason: String
    /// The response, its body whole.
    public let response: HTTPResponse<Data>
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A decoding failure.
    public init(
        type: String, codingPath: String = "", reason: String, response: HTTPResponse<Data>, context: ErrorContext = .init()
    ) {
        self.type = type
        self.codingPath = codingPath
        self.reason = reason
        self.response = response
        self.context = context
    }
}

/// A limit that the answer passed.
public struct SizeLimitFailure: Sendable {
    /// What there was too much of.
    @nonexhaustive public enum Subject: String, Sendable, Hashable {
        /// The decoded bytes of the body: `ResponseLimits.bodyBytes`, or `ResponseLimits.streamBytes` of a streamed one.
        case body
        /// Status line and fields: `ResponseLimits.headBytes`.
        case head
        /// How many fields the head has, or the trailers: `ResponseLimits.fieldCount`.
        case fields
        /// One line of a body that is read by lines.
        case line
        /// One event of an event stream.
        case event
        /// One element of a streamed JSON array.
        case element
        /// The head of one part of a multipart body.
        case part
        /// The parts of a multipart body: the limit is their number.
        case parts

        /// Whether the limit is a number of things, and not of bytes.
        public var isCounted: Bool { self == .fields || self == .parts }
    }

    /// What there was too much of.
    public let subject: Subject
    /// The limit, in bytes; for ``Subject/fields`` a number of lines.
    public let limit: Int
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A limit that was passed.
    public init(_ subject: Subject = .body, limit: Int, context: ErrorContext = .init()) {
        self.subject = subject
        self.limit = limit
        self.context = context
    }
}

/// An interceptor that threw an error of its own; ``HTTPError/underlying`` has it.
public struct InterceptorFailure: Sendable {
    /// The interceptor's type.
    public let interceptor: String
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A failure of an interceptor.
    public init(interceptor: String, underlying: any Error) {
        self.interceptor = interceptor
        context = ErrorContext(stage: .interceptor, underlying: underlying)
    }
}

/// What surrounds an error: which request, where on its journey, after how many attempts, and what caused it.
public struct ErrorContext: Sendable {
    /// Where on its journey a call failed.
    public enum Stage: String, Sendable, Hashable {
        /// While the request was made from the call.
        case request
        /// In an interceptor.
        case interceptor
        /// While a redirect was followed.
        case redirect
        /// While a connection was made.
        case connect
        /// While the request was sent and the head of the answer awaited.
        case exchange
        /// While the body was received.
        case body
        /// When the status was checked.
        case validation
        /// When the body was decoded.
        case decoding
    }

    /// The request, as it was last sent.
    public var request: HTTPRequest? {
        get { boxed?.request }
        set { boxed = newValue.map(Boxed.init) }
    }
    /// Where on its journey the call failed.
    public var stage: Stage?
    /// How often the request had been handed to the transport.
    public var attempts: Int
    /// What caused it.
    public var underlying: (any Error)?
    /// In words, where the case alone does not say it: which time-out, for example.
    public var detail: String

    /// A context.
    public init(
        request: HTTPRequest? = nil, stage: Stage? = nil, attempts: Int = 0, underlying: (any Error)? = nil, detail: String = ""
    ) {
        self.stage = stage
        self.attempts = attempts
        self.underlying = underlying
        self.detail = detail
        boxed = request.map(Boxed.init)
    }

    // Boxed, so that errors stay cheap to throw.
    private var boxed: Boxed?

    private final class Boxed: Sendable {
        let request: HTTPRequest
        init(_ request: HTTPRequest) { self.request = request }
    }
}

extension ErrorContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request and the stage, without secrets.
    public var description: String {
        [request.map { "\($0)" }, stage.map { "stage: \($0.rawValue)" }, attempts > 0 ? "attempts: \(attempts)" : nil]
            .compactMap(\.self).joined(separator: ", ")
    }

    /// The same.
    public var debugDescription: String { description }

    /// Nothing to look into: `dump` shows no more than the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
