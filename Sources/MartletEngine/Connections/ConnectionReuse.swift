package import MartletHTTP

/// Which kept-alive connections a request may use.
///
/// A server closes a connection that has been idle for its keep-alive timeout. A request sent at that moment is lost, and a request that is
/// not idempotent must not be sent again. It therefore uses only connections that the server is unlikely to be closing.
package enum ConnectionReuse: Hashable {
    /// None: the request opens a new connection.
    case never
    /// Connections that have been idle for at most this many seconds, counted in whole seconds.
    case idle(seconds: Int)

    /// The margin before the server's announced timeout, which covers the request's transit and the server's clock.
    package static let margin = Duration.seconds(1)

    /// - Parameters:
    ///   - isRepeatable: Whether the request may be sent again when its connection breaks.
    ///   - announced: The timeout in the `Keep-Alive` field of the origin's last response that had one.
    ///   - maxIdleTime: The limit of the transport.
    ///   - maxIdleTimeWhenNotIdempotent: Its limit for requests that must not be sent again.
    package init(isRepeatable: Bool, announced: Duration?, maxIdleTime: Duration, maxIdleTimeWhenNotIdempotent: Duration) {
        guard !isRepeatable else {
            self = .idle(seconds: max(1, ConnectionReuse.seconds(maxIdleTime)))
            return
        }
        let limit = min(maxIdleTime, announced.map { $0 - ConnectionReuse.margin } ?? maxIdleTimeWhenNotIdempotent)
        // libcurl compares whole seconds: with a maximum of 3 it uses a connection until the end of the fourth second. Its later versions
        // read a maximum of 0 as no limit.
        let seconds = ConnectionReuse.seconds(limit) - 1
        self = seconds < 1 ? .never : .idle(seconds: seconds)
    }

    private static func seconds(_ duration: Duration) -> Int { Int(clamping: min(duration.components.seconds, 1_000_000_000)) }
}

extension Reception {
    /// Whether a connection of HTTP/1 may carry another exchange after this response, as far as its head tells (RFC 9112 §9.3).
    package var keepsConnection: Bool {
        guard !hasAmbiguousLength else { return false }
        // Faulty (RFC 9112 §6.1), also where no body follows.
        if version == .http10, headers.contains(.transferEncoding) { return false }
        guard headers.contains(.connection) else { return version == .http11 }
        var closes = false, keeps = version == .http11
        headers.forEachLineOfBytes { name, value in
            guard name.isName("connection") else { return }
            if value.containsToken("close") { closes = true }
            if value.containsToken("keep-alive") { keeps = true }
        }
        return keeps && !closes
    }
}

extension HTTPFields {
    /// The `timeout` parameter of the `Keep-Alive` field (RFC 2068 §19.7.1.1); the smallest if there are several. Malformed values are
    /// ignored.
    package var keepAliveTimeout: Duration? {
        guard let value = self["Keep-Alive"] else { return nil }
        let seconds = value.split(separator: ",").compactMap { part -> Int64? in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].trimmingWhitespace.equalsIgnoringCase("timeout") else { return nil }
            let digits = pair[1].trimmingWhitespace
            guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
            return Swift.min(Int64(digits) ?? .max, 1_000_000_000)
        }
        return seconds.min().map { .seconds($0) }
    }
}

extension HTTPError {
    /// The error of a request whose connection ended before the response, and that is not sent again.
    package static func lost(_ words: String) -> HTTPError {
        .networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .exchange)))
    }

    /// The error of such a request if its body was a stream.
    package static var lostWithStream: HTTPError {
        lost("the connection ended before the response, and the body cannot be sent again, because it is a stream")
    }
}
