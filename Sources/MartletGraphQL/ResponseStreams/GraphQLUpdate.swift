/// One state of an answer that comes in pieces: all that has come so far.
public struct GraphQLUpdate<Data: Sendable>: Sendable {
    /// The data so far, and all errors so far.
    public var result: GraphQLResult<Data>
    /// Whether there is more to come.
    public var hasNext: Bool
    /// What the server has said besides so far.
    public var extensions: [String: JSONValue]

    /// A state.
    public init(result: GraphQLResult<Data>, hasNext: Bool = false, extensions: [String: JSONValue] = [:]) {
        self.result = result
        self.hasNext = hasNext
        self.extensions = extensions
    }

    /// The data so far, if there is any.
    public var data: Data? { result.data }

    /// The errors so far.
    public var errors: [GraphQLResponseError] { result.errors }
}

extension GraphQLUpdate: Equatable where Data: Equatable {}
extension GraphQLUpdate: Hashable where Data: Hashable {}

/// The growing response to an operation with `@defer` or `@stream`: the sequence that `updates(_:options:)` returns.
///
/// ```swift
/// for try await update in graphQL.updates(operation) {
///     show(update.data)               // a little more each time
///     if !update.hasNext { done() }   // the last
/// }
/// ```
///
/// The operation is sent when iteration begins, and again by each iteration. If the first message of the server is that the credential is
/// refused, the credential is renewed once and the operation is sent again. A response in one piece is one update. Leaving the loop or
/// cancelling the task closes the connection. Write a loop that you leave early in a function: at the top level of `main.swift`, its iterator,
/// and so the connection, exists until the program ends.
///
/// ### When updates are delivered
/// Each update contains all the data so far, decoded again. An update is delivered as soon as its part of the response has arrived, while
/// the bytes decoded for all updates are at most 1 MB plus 16 times the bytes received. Lists of thousands of streamed items exceed that.
/// Several parts then become one update: it is delivered when the data have grown by about a sixteenth, or when no part has arrived for a
/// moment (0.1 seconds, plus one second for each MB of data). The work therefore grows with the size of the response and not with its
/// square. No part is left out, the order is the server's, and the last update contains everything.
///
/// Parts are not read ahead of the loop's body, except for one part while updates are held back. A slow reader stops the server.
///
/// ### What is not there yet
/// Fields that are deferred are missing at first. Where they are Optional in the type, it is given without them; where they are not, the
/// first update is the first whose data fits the type. The last must fit: it throws `.http(.decodingFailed)`, or is ``GraphQLResult/failed(_:)``
/// when there are errors that explain it.
///
/// ### What it throws
/// What the first part is answered with instead, as `result(of:)` would; `.http(.invalidResponse)` when the connection ends before the last
/// part, or a part does not fit those before; `.http(.decodingFailed)`; `.http(.responseTooLarge)` when the parts have more bytes than
/// `ResponseLimits.bodyBytes` together; `.http(.cancelled)`. All that came before has been given by then.
public typealias GraphQLUpdateSequence<Data: Decodable & Sendable> = ValueSequence<GraphQLUpdate<Data>, GraphQLError>
