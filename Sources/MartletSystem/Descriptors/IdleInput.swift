internal import MartletEssentials

/// What has arrived on an idle connection.
///
/// A server may send nothing there but the end of the connection. Other bytes would be taken for the response to the next request, so the
/// connection must not be used again (RFC 9112 §9.2). That also holds for a TLS record, which may contain them: the session tickets of TLS
/// 1.3 arrive before the first response.
package enum IdleInput: Hashable {
    case nothing
    /// Bytes that no request asked for.
    case bytes
    /// The end of the connection, or an error.
    case end

    /// The result of a look at a socket.
    ///
    /// - Parameters:
    ///   - count: what `recv` returned for one byte.
    ///   - failure: the value of `errno` if that is negative.
    package init(received count: Int, failure: Int32) {
        switch count {
        case 1...: self = .bytes
        case 0: self = .end
        default: self = failure == EAGAIN || failure == EWOULDBLOCK ? .nothing : .end
        }
    }

    /// Looks at a socket without taking bytes from it, and without waiting.
    package init(peekingAt socket: Int32) {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        self.init(received: count, failure: errno)
    }

    /// Whether a request may be sent on the connection.
    package var allowsRequest: Bool { self == .nothing }
}
