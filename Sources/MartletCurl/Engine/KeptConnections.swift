internal import CMartletCurl
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// The addresses of both ends of a connection, which tell the open connections of an engine apart.
///
/// Not those of Unix domain sockets, which have no ports and usually no local address.
struct ConnectionEnds: Hashable, Sendable {
    private let remotePort: Int32
    let localPort: Int32
    /// A digest of the addresses (FNV-1a). Connections with equal ports and digests would need different addresses of 64 equal bits.
    private let addresses: UInt64

    /// Nil for a Unix domain socket.
    init?(remote: UnsafePointer<CChar>, remotePort: Int32, local: UnsafePointer<CChar>, localPort: Int32) {
        guard remotePort > 0, localPort > 0 else { return nil }
        self.remotePort = remotePort
        self.localPort = localPort
        addresses = ConnectionEnds.digest(local, after: ConnectionEnds.digest(remote, after: 0xcbf2_9ce4_8422_2325))
    }

    private static func digest(_ text: UnsafePointer<CChar>, after start: UInt64) -> UInt64 {
        var digest = start
        var position = text
        while position.pointee != 0 {
            digest = (digest ^ UInt64(UInt8(bitPattern: position.pointee))) &* 0x100_0000_01b3
            position += 1
        }
        // The end of the text, so that both texts together are not one.
        return (digest ^ 0xff) &* 0x100_0000_01b3
    }
}

/// The sockets of an engine's connections that carry one request at a time (HTTP/1).
///
/// A connection is recorded with the head of its first response. libcurl may give it to another transfer in the round in which the first
/// one ends, before the engine learns of that end.
struct KeptConnections {
    private var sockets: BoundedMap<ConnectionEnds, Int32>

    /// - Parameter limit: the number of connections to remember, which is far above the number that an engine keeps.
    init(limit: Int = 8192) { sockets = BoundedMap(limit: limit) }

    /// Forgets a connection, which is closed: it must not be used again, or a new one with the same ends has been opened.
    mutating func forget(between ends: ConnectionEnds) { sockets.removeValue(for: ends) }

    /// Records the socket of a connection that carries one request at a time.
    mutating func keep(_ socket: Int32, between ends: ConnectionEnds) { sockets.insert(socket, for: ends) }

    /// Returns the socket of a connection that is used again; nil if it is unknown, or may carry several requests at a time.
    mutating func socket(between ends: ConnectionEnds) -> Int32? { sockets.use(ends) { $0 } }
}

extension EasyHandle {
    /// Whether the connection that libcurl has chosen may carry the request. Called before anything is sent on it.
    ///
    /// Bytes that arrive later, while the request is in transit, cannot be told apart from an early response.
    func mayUseConnection(between ends: @autoclosure () -> ConnectionEnds?) -> Bool {
        let version = setup.library.version
        guard isSecure || !version.closesUnread else { return true }
        guard isOnKeptConnection else {
            newConnection = ends().map { (ends: $0, socket: openedSocket(between: $0)) }
            if let newConnection { round.kept.forget(between: newConnection.ends) }
            return true
        }
        newConnection = nil
        guard let known = ends(), let socket = round.kept.socket(between: known) else { return true }
        // What OpenSSL has taken is not in the socket any more: it may have arrived together with the end of the last response.
        let isUsable =
            !(isSecure && options.hasUndeliveredTLSBytes) && (version.closesUnread || IdleInput(peekingAt: socket).allowsRequest)
        if !isUsable { round.kept.forget(between: known) }
        return isUsable
    }

    /// Records the connection that the transfer has opened, if it carries one request at a time. Called when a head is complete.
    func keepConnection() {
        guard let (ends, socket) = newConnection, head.version != .http2 else { return }
        round.kept.keep(socket, between: ends)
    }
}
