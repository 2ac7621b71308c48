internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// What a transfer needs for the upgrade of its connection.
final class PendingUpgrade: @unchecked Sendable {
    // Proof: only the engine's thread accesses `socket`; the rest does not change.

    let completion: ConnectionUpgrade
    /// The head of the request.
    let head: [UInt8]
    let place: UpgradePlace
    /// The connection, from when libcurl begins to open it until the transfer ends.
    var socket: UpgradedSocket?

    init(_ completion: ConnectionUpgrade, head: [UInt8], place: UpgradePlace) {
        self.completion = completion
        self.head = head
        self.place = place
    }
}

/// The places for upgraded connections on the engines of a transport.
final class UpgradePlaces: Sendable {
    private let counts: Locked<[Int]>
    private let limit: Int

    /// - Parameter limit: The number of places, or 0 for no limit.
    init(engines: Int, limit: Int) {
        counts = Locked(Array(repeating: 0, count: engines))
        self.limit = limit > 0 ? limit : .max
    }

    /// Takes a place on the preferred engine, or on the one with the fewest upgraded connections.
    ///
    /// Throws `.limitExceeded` if there is none.
    func take(preferring preferred: Int?) throws(HTTPError) -> UpgradePlace {
        let engine = counts.withLock { counts -> Int? in
            guard counts.reduce(0, +) < limit, let engine = preferred ?? counts.indices.min(by: { counts[$0] < counts[$1] }) else {
                return nil
            }
            counts[engine] += 1
            return engine
        }
        guard let engine else {
            throw .limitExceeded(
                Explanation("the transport has \(limit) upgraded connections: close one, or set `maxUpgradedConnections` higher"))
        }
        return UpgradePlace(self, engine: engine)
    }

    fileprivate func leave(_ engine: Int) { counts.withLock { $0[engine] -= 1 } }

    /// The number of places taken.
    var taken: Int { counts.withLock { $0.reduce(0, +) } }
}

/// A place for an upgraded connection. It is freed once, at the latest with this object.
final class UpgradePlace: Sendable {
    let engine: Int
    private let places: UpgradePlaces
    private let isTaken = Locked(true)
    private let owner = OwnerProcess()

    fileprivate init(_ places: UpgradePlaces, engine: Int) {
        self.places = places
        self.engine = engine
    }

    deinit { leave() }

    func leave() {
        // In a forked child, the lock may stay locked forever.
        guard owner.isCurrent else { return }
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        if wasTaken { places.leave(engine) }
    }
}

/// An upgraded connection as its user reads and writes it, on any thread. The engine has the other end, an ``UpgradedSocket``.
///
/// Bytes are received as long as less than ``capacity`` waits for the reader. A write to a connection without TLS goes to the system on the
/// caller's thread, and to the engine only if the system does not take all bytes at once.
final class UpgradedLink: Sendable {
    /// What the user requires of the engine.
    enum Demand: Sendable {
        /// The reader has made room.
        case read
        /// Bytes wait to be written.
        case write
        case close
    }

    /// The number of received bytes at which the engine stops reading.
    static let capacity = 256 * 1024

    private struct State {
        var writes: [PendingWrite] = []
        /// The socket, if the caller's thread may write to it.
        var direct: StreamSocket?
        /// Why nothing can be written any more.
        var end: HTTPError?
        var isClosed = false
    }

    /// The number of the connection at its engine.
    let id: UInt32
    /// The received bytes.
    let pipe: BodyPipe
    let place: UpgradePlace?
    let inbox: EngineInbox
    private let state = Locked(State())

    init(id: UInt32, inbox: EngineInbox, place: UpgradePlace?, pool: BodyPool) {
        self.id = id
        self.place = place
        self.inbox = inbox
        pipe = BodyPipe(capacity: UpgradedLink.capacity, pending: BodyBuffer(pool, readLength: 64 * 1024)) { demand in
            switch demand {
            case .resume: inbox.post(.upgraded(id, .read))
            case .cancel: inbox.post(.upgraded(id, .close))
            }
        }
    }

    // MARK: The user's side

    /// Writes bytes. Returns true if the system has taken all of them, and otherwise calls `then`.
    func write(_ bytes: Data, then: @escaping @Sendable (HTTPError?) -> Void) -> Bool {
        guard !bytes.isEmpty else { return true }
        let write = PendingWrite(bytes, then: then)
        let (isOver, mustPost) = state.withLock { state -> (Bool, Bool) in
            if let end = state.end {
                write.failure = end
                return (true, false)
            }
            let isFirst = state.writes.isEmpty
            guard isFirst, let socket = state.direct else {
                state.writes.append(write)
                return (false, isFirst)
            }
            switch write.send(to: socket) {
            case .done: return (true, false)
            // The engine learns from the system when there is room.
            case .blocked: state.writes.append(write)
            // The engine finds the reason.
            case .failed: state.writes.append(write)
            }
            return (false, write.hasFailed)
        }
        if isOver {
            guard write.failure != nil else { return true }
            write.resume()
        }
        guard mustPost else { return false }
        // On the engine's own thread, a write that can complete at once needs no switch of threads.
        if let engine = EngineLoop.current, engine.inbox === inbox {
            engine.write(to: id)
        } else {
            inbox.post(.upgraded(id, .write))
        }
        return false
    }

    /// Closes the connection. A read or write that waits throws `.cancelled`, and so do later ones.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        let reason = HTTPError.cancelled(ErrorContext(stage: .body))
        endWrites(reason)
        pipe.cancel(reason)
        place?.leave()
        inbox.post(.upgraded(id, .close))
    }

    // MARK: The engine's side

    /// Allows writes. `direct` is the socket if they need no TLS.
    func open(direct: StreamSocket?) { state.withLock { if $0.end == nil { $0.direct = direct } } }

    /// The write that is next.
    var nextWrite: PendingWrite? { state.withLock { $0.writes.first } }

    /// Removes a write that is complete from the queue. Returns false if a close has done that, which then resumes the caller.
    func removes(_ write: PendingWrite) -> Bool {
        state.withLock { state in
            guard state.writes.first === write else { return false }
            state.writes.removeFirst()
            return true
        }
    }

    /// Makes waiting writes and all later ones fail. The caller's threads no longer use the socket afterwards.
    func endWrites(_ reason: HTTPError) {
        let writes = state.withLock { state -> [PendingWrite] in
            state.direct = nil
            guard state.end == nil else { return [] }
            state.end = reason
            return exchange(&state.writes, with: [])
        }
        for write in writes {
            write.failure = reason
            write.resume()
        }
    }
}

/// Bytes that are written, and the caller that waits for it.
final class PendingWrite: @unchecked Sendable {
    // Proof: the caller's task makes it, and hands it over with the lock of an ``UpgradedLink``, in whose queue it then is. While it is the
    // first one there, only the engine's thread changes it; whoever removes it from the queue resumes the caller, which reads it
    // afterwards.

    private let bytes: Data
    /// The bytes, at an address that stays the same: OpenSSL requires it of a write that it could not complete. A short `Data` has none.
    private let copy: UnsafeMutableRawBufferPointer?
    private var sent = 0
    fileprivate(set) var hasFailed = false
    fileprivate var failure: HTTPError?
    private var then: (@Sendable (HTTPError?) -> Void)?

    /// - Parameter then: Called once, unless the write completes at once.
    init(_ bytes: Data, then: @escaping @Sendable (HTTPError?) -> Void = { _ in }) {
        self.bytes = bytes
        self.then = then
        guard bytes.count <= 4096 else {
            copy = nil
            return
        }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        self.copy = copy
    }

    deinit { copy?.deallocate() }

    var isComplete: Bool { sent == bytes.count }

    enum Outcome { case done, blocked, failed }

    /// Passes the bytes that are left to `send`, which returns how many it took, nil if it can't take any now, or throws.
    func send<Failure: Error>(_ send: (UnsafeRawBufferPointer) throws(Failure) -> Int?) throws(Failure) -> Bool {
        func pass(_ all: UnsafeRawBufferPointer) throws(Failure) -> Bool {
            guard let count = try send(UnsafeRawBufferPointer(rebasing: all.dropFirst(sent))) else { return false }
            sent += count
            return true
        }
        if let copy { return try pass(UnsafeRawBufferPointer(copy)) }
        let outcome = bytes.withUnsafeBytes { all -> Result<Bool, Failure> in
            do throws(Failure) { return .success(try pass(all)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Writes what a socket without TLS takes.
    func send(to socket: StreamSocket) -> Outcome {
        while !isComplete {
            var result = StreamSocket.IOResult.wouldBlock
            _ = send { bytes -> Int? in
                result = socket.send(bytes)
                if case .bytes(let count) = result { return count }
                return nil
            }
            switch result {
            case .bytes: continue
            case .wouldBlock: return .blocked
            case .failed:
                hasFailed = true
                return .failed
            }
        }
        return .done
    }

    func resume() { then.take()?(failure) }
}

/// The connection that the user gets. Without it, the connection is closed.
final class UpgradedStream: ByteConnection {
    private let link: UpgradedLink
    private let reader: PipeReader
    private let owner: OwnerProcess

    init(_ link: UpgradedLink) {
        let owner = OwnerProcess()
        self.link = link
        self.owner = owner
        reader = PipeReader(link.pipe) { () throws(HTTPError) in try owner.check("this connection was made") }
    }

    deinit { close() }

    func read() async throws(HTTPError) -> Data? { try await reader.next() }

    func write(_ bytes: Data, then: @escaping @Sendable (HTTPError?) -> Void) -> Bool {
        do throws(HTTPError) { try owner.check("this connection was made") } catch {
            then(error)
            return false
        }
        return link.write(bytes, then: then)
    }

    #if os(Linux)
    var executor: (any TaskExecutor)? { EngineExecutor { [inbox = link.inbox] in inbox.post(.run($0)) } }
    #endif

    func close() { if owner.isCurrent { link.close() } }
}
