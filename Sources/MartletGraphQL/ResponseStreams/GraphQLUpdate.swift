/// One state of a response that arrives in parts, with everything received so far.
public struct GraphQLUpdate<Data: Sendable>: Sendable {
    /// All data and all errors received so far.
    public var result: GraphQLResult<Data>
    /// Whether more parts follow.
    public var hasNext: Bool
    /// The `extensions` of all parts received so far. A later member replaces an earlier one with the same name.
    public var extensions: [String: JSONValue]

    /// Creates one state of a response, for tests and for clients of your own.
    public init(result: GraphQLResult<Data>, hasNext: Bool = false, extensions: [String: JSONValue] = [:]) {
        self.result = result
        self.hasNext = hasNext
        self.extensions = extensions
    }

    /// The data received so far, or nil if none has arrived.
    public var data: Data? { result.data }

    /// The errors received so far.
    public var errors: [GraphQLResponseError] { result.errors }
}

extension GraphQLUpdate: Equatable where Data: Equatable {}
extension GraphQLUpdate: Hashable where Data: Hashable {}

/// An asynchronous sequence of the states of a response with `@defer` or `@stream`, as returned by `updates(_:options:)`.
///
/// ```swift
/// for try await update in graphQL.updates(operation) {
///     show(update.data)               // more data each time
///     if !update.hasNext { done() }   // the last update
/// }
/// ```
///
/// Each iteration sends the operation. If the first message of the server rejects the credential, the credential is renewed once and the
/// operation is sent again. A response in one part is one update. Leaving the loop or cancelling the task closes the connection. Write a
/// loop that you leave early in a function: at the top level of `main.swift`, its iterator, and so the connection, exists until the program
/// ends.
///
/// ### When updates are delivered
/// Each update contains all data received so far, decoded again. Updates are delivered part by part while the bytes decoded for all updates
/// are at most 1 MB plus 16 times the bytes received. Lists of thousands of streamed items exceed that. Several parts then become one
/// update. It is delivered when the data has grown by about a sixteenth, or when no part has arrived for 0.1 seconds plus one second for
/// each MB of data. The total work therefore grows with the size of the response and not with its square. No part is left out, the order is
/// the server's, and the last update contains everything.
///
/// Parts are not read ahead of the loop's body, except for one part while updates are held back. A slow reader slows down the server.
///
/// ### Deferred fields
/// Deferred fields are missing at first. Declare them Optional to receive updates without them. Otherwise the first update is the first one
/// whose data matches the type. The data of the last update must match: if it does not, the sequence throws `.http(.decodingFailed)`, or
/// the result is ``GraphQLResult/failed(_:)`` if the response has errors.
///
/// ### Errors
/// The errors of `result(of:)` for a response in one part. `.http(.invalidResponse)` if the connection ends before the last part, or if a
/// part does not match the earlier ones. `.http(.decodingFailed)`. `.http(.responseTooLarge)` if all parts together exceed
/// `ResponseLimits.bodyBytes`. `.http(.cancelled)`. Data received before an error is delivered first.
public typealias GraphQLUpdateSequence<Data: Decodable & Sendable, Failure: Error> = ValueSequence<GraphQLUpdate<Data>, Failure>
