internal import MartletSystem

/// An HTTP/2 stream on one of an engine's connections.
struct HTTP2Stream: Hashable {
    let connection: Int64
    let id: Int64
}

/// The connections that their servers have retired with GOAWAY, and the last stream that the server may have processed on each.
///
/// A request in a later stream was not processed, and may be sent again whatever its method (RFC 9113 §6.8).
struct RetiredConnections {
    private var lastStreams: BoundedMap<Int64, Int64>

    /// - Parameter limit: The number of connections to remember. Requests on the ones forgotten lack a proof, and fail.
    init(limit: Int = 256) { lastStreams = BoundedMap(limit: limit) }

    /// Records a GOAWAY frame. A server may send several, with descending numbers; it cannot take one back.
    mutating func retire(_ connection: Int64, lastStream: Int64) {
        lastStreams.insert(min(lastStreams[connection] ?? lastStream, lastStream), for: connection)
    }

    /// Whether the server has announced that it did not process a stream.
    func hasIgnored(_ stream: HTTP2Stream) -> Bool { lastStreams[stream.connection].map { stream.id > $0 } ?? false }

    /// Whether the server has retired a connection.
    func contains(_ connection: Int64) -> Bool { lastStreams[connection] != nil }
}

/// The delivery of one request as far as libcurl tells: the number of attempts, and whether the server processed the last one.
struct DeliveryProof {
    /// The number of times that libcurl was about to send the request.
    private var attempts = 0
    /// The attempt that the proof is for.
    private var provenAttempt = 0
    /// The number of attempts that libcurl reported to have failed before a response.
    private(set) var deaths = 0
    /// The connection of the last attempt.
    private(set) var connection: Int64?
    /// The stream of the last attempt.
    private var stream: HTTP2Stream?
    /// Whether the server provably did not process the last attempt that failed.
    private(set) var isUnprocessed = false
    /// Whether the connection of the last attempt that failed had been retired.
    private(set) var wasRetired = false
    /// Whether the last attempt began on a kept-alive connection, or on one that another request has opened.
    private var wasReused = false
    /// Whether libcurl's limit on a head over HTTP/2 has ended the connection of the last attempt.
    private(set) var hasLargeHead = false

    /// Whether a request whose attempts have failed is sent again.
    enum NextAttempt {
        case allowed
        /// Only on a connection that no other request has used.
        case onNewConnection
        case futile
    }

    /// Records that libcurl is about to send the request, on a kept-alive connection or on a new one. Returns whether it is the first time.
    mutating func begins(isReused: Bool) -> Bool {
        attempts += 1
        wasReused = isReused
        hasLargeHead = false
        stream = nil
        // libcurl also repeats a request without reporting that the attempt died, such as for HTTP_1_1_REQUIRED.
        if provenAttempt != attempts - 1 { isUnprocessed = false }
        return attempts == 1
    }

    /// Whether libcurl was about to send the request at least once.
    var hasBegun: Bool { attempts > 0 }

    /// Whether two attempts have failed, and the last of them on a new connection: the server ends connections or refuses requests, and
    /// another attempt would only burden it.
    var isFutile: Bool { attempts > 1 && !wasReused }

    /// Decides on another attempt. A request is delivered three times at most.
    ///
    /// Two attempts on connections of other requests may have failed for no fault of the server: kept-alive connections had ended, or were
    /// retired. Whether it refuses the request shows on a connection of its own.
    ///
    /// - Parameters:
    ///   - isReused: whether the attempt is on a kept-alive connection.
    ///   - isRestarted: whether the transfer has started again, which it does on a new connection.
    func next(isReused: Bool, isRestarted: Bool) -> NextAttempt {
        if isFutile || isRestarted && attempts > 0 { return .futile }
        return attempts > 1 && isReused ? .onNewConnection : .allowed
    }

    /// Records that a head on the connection has exceeded libcurl's limit.
    mutating func endsByLargeHead() { hasLargeHead = true }

    mutating func uses(connection number: Int64) { connection = number }

    /// Records the stream in which the request is sent. Without a known connection, nothing can be proven about it.
    mutating func uses(stream id: Int64, on connection: Int64?) {
        self.connection = connection
        stream = connection.map { HTTP2Stream(connection: $0, id: id) }
    }

    /// Records that the last attempt failed before a response. The proof holds for this attempt alone.
    mutating func died(_ retired: RetiredConnections) {
        deaths += 1
        isUnprocessed = stream.map(retired.hasIgnored) ?? false
        wasRetired = connection.map(retired.contains) ?? false
        if isUnprocessed { provenAttempt = attempts }
        stream = nil
        // Until libcurl names the next connection, the transfer may read the GOAWAY of any idle one (7.88).
        connection = nil
    }
}
