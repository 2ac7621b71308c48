/// A client to measure.
public protocol Contender: Sendable {
    /// Returns the protocol of a response as the server names it, such as `HTTP/2.0`.
    func spokenProtocol() async throws -> String
    /// Makes one call. Throws an error unless the response is complete.
    func call(_ work: Work) async throws -> CallResult
    /// The executor of the tasks that make the calls; nil for Swift's task pool.
    var executor: (any TaskExecutor)? { get }
}

extension Contender {
    public var executor: (any TaskExecutor)? { nil }
}

/// What one call does.
public enum Work: String, CaseIterable, Sendable {
    /// A GET of 1 KiB.
    case small = "1k"
    /// A GET of 100 KiB.
    case large = "100k"
    /// A GET of 6.9 KB of JSON, which typed clients decode.
    case json
    /// A GET of 1 GiB, read in chunks.
    case download = "1g"
    /// A POST of 1 MiB.
    case upload
    /// A GET that a cache may respond to after the first.
    case cached
    /// A GraphQL query.
    case graphql
    /// A stream of 200,000 server-sent events.
    case events
}

/// The number of calls, or of events, and the bytes of the bodies.
public struct CallResult: Sendable {
    public let count: Int
    public let bytes: Int

    public init(count: Int = 1, bytes: Int = 0) {
        self.count = count
        self.bytes = bytes
    }

    /// The result of a call that has decoded the products. Throws an error unless all are there.
    public init(products: Int) throws {
        guard products == Product.all.count else { throw WrongResponse("\(products) products") }
        self.init()
    }
}

/// The client cannot do the work.
public struct Unsupported: Error {
    public let work: Work

    public init(_ work: Work) { self.work = work }
}

/// An incomplete or unexpected response.
public struct WrongResponse: Error {
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Throws an error for a status other than 2xx.
    public static func check(status: Int) throws {
        guard status / 100 == 2 else { throw WrongResponse("status \(status)") }
    }
}
