/// Counts the bytes of a streamed body against the length that it promised.
package struct PromisedLength {
    private let length: Int64?
    private var total: Int64 = 0

    /// For a body of this length; nil when it promised none.
    package init(_ length: Int64?) { self.length = length }

    /// Whether all that was promised has come.
    package var isReached: Bool { total == length }

    /// So many bytes have come. Throws `.invalidRequest` when they are more than were promised.
    package mutating func add(_ count: Int) throws(HTTPError) {
        total += Int64(count)
        if let length, total > length { throw PromisedLength.failure("more than the \(length) bytes") }
    }

    /// The body has ended. Throws `.invalidRequest` when more was promised.
    package func end() throws(HTTPError) {
        if let length, total < length { throw PromisedLength.failure("\(total) bytes and not the \(length)") }
    }

    private static func failure(_ what: String) -> HTTPError {
        .invalidRequest(Explanation("the streamed body gave \(what) that it promised"))
    }
}
