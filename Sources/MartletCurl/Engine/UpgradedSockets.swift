internal import CMartletCurl
internal import CMartletEngine
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// The connections of an engine that are upgraded to another protocol, or will be. Only the engine's thread uses it.
///
/// libcurl opens such a connection (`CURLOPT_CONNECT_ONLY`), and then only passes bytes on. Its handle stays in its multi handle, because
/// libcurl closes the connection with it. These multi handles are not the engine's own: there the connections would count toward the limits
/// of libcurl for other transfers, and displace connections that are kept alive, and each round would look at every one of them. They
/// belong to groups, because libcurl searches the connections of a multi handle for each read and write.
///
/// All sockets are polled through one descriptor, which reports each event once. A socket is read until nothing is left, also within TLS.
final class UpgradedSockets {
    /// The number of bytes that one connection may pass on, in each direction, before others have their turn.
    private static let perTurn = 256 * 1024
    /// The number of bytes that all connections may pass on in a round.
    private static let perRound = 4 << 20
    /// Marks the tokens of upgraded connections. The other tokens are those of sockets that libcurl connects.
    private static let openMark: UInt64 = 1 << 63

    /// Ends a transfer.
    typealias Finish = (CurlTransfer, Result<Void, HTTPError>) -> Void

    private let functions: UnsafePointer<ccurl_functions>
    private let round: EngineRound
    private let inbox: EngineInbox
    private let version: CurlVersion
    private let poller: Int32
    private var groups: [UInt32: UpgradeGroup] = [:]
    private let timers = UpgradeTimers()
    private var sockets: [UInt32: UpgradedSocket] = [:]
    private var lastGroup: UInt32 = 0
    private var lastSocket: UInt32 = 0
    /// The sockets that can be read or written now.
    private var active: [UpgradedSocket] = []
    private var events = [cengine_event](repeating: cengine_event(), count: 256)
    // What the end of the round resumes.
    private var awaited: [UpgradedLink] = []
    private var written: [PendingWrite] = []
    private var isResuming = false
    /// Groups without connections. A function of libcurl may still be working on one.
    private var closing: [UpgradeGroup] = []
    /// Whether the poller may have events. False if the thread has just slept and there were none.
    var mayHaveEvents = true

    /// Returns nil if the process has no free descriptors.
    init?(_ functions: UnsafePointer<ccurl_functions>, _ version: CurlVersion, round: EngineRound, inbox: EngineInbox) {
        poller = cengine_make_poller()
        guard poller >= 0 else { return nil }
        self.functions = functions
        self.version = version
        self.round = round
        self.inbox = inbox
    }

    deinit {
        for group in Array(groups.values) + closing { group.close() }
        _ = close(poller)
    }

    /// The descriptor that is readable while a socket has events.
    var descriptor: Int32 { poller }

    var isEmpty: Bool { sockets.isEmpty }

    /// Whether sockets have more to do than one round allowed.
    var hasWork: Bool { !active.isEmpty }

    /// When libcurl's next timer is due.
    var nextDue: ContinuousClock.Instant? { timers.nextDue }

    // MARK: The way to an upgraded connection

    /// Starts to open the connection of a transfer.
    func connect(_ transfer: CurlTransfer, _ handle: EasyHandle) throws(HTTPError) {
        guard let group = group() else { throw .engineUnavailable("libcurl could not create a multi handle") }
        repeat { lastSocket &+= 1 } while sockets[lastSocket] != nil
        let link = UpgradedLink(id: lastSocket, inbox: inbox, place: transfer.upgrade?.place, pool: handle.setup.bodies)
        let socket = UpgradedSocket(transfer, handle, group, link)
        sockets[lastSocket] = socket
        group.count += 1
        transfer.upgrade?.socket = socket
        let code = functions.pointee.multi_add_handle(group.multi, handle.curl)
        if code != CURLM_OK.code {
            throw .networkError(NetworkFailure(.other, "libcurl did not accept the transfer (error \(code))"))
        }
    }

    /// Ends the part of a transfer in its connection, which stays open if it is upgraded.
    func leave(_ transfer: CurlTransfer) {
        guard let socket = transfer.upgrade?.socket else { return }
        transfer.upgrade?.socket = nil
        socket.transfer = nil
        socket.handle.transfer = nil
        if case .open = socket.phase { return }
        remove(socket, .connectionLost)
    }

    /// Finds or makes a group with room for another connection.
    private func group() -> UpgradeGroup? {
        // Before 7.85, only the end of the multi handle closes a connection.
        let size = version >= .closesUpgraded ? UpgradeGroup.size : 1
        if let group = groups.values.first(where: { $0.count < size }) { return group }
        lastGroup = (lastGroup &+ 1) & 0x7fff_ffff
        let group = UpgradeGroup(functions, number: lastGroup, poller: poller, timers: timers)
        if let group { groups[lastGroup] = group }
        return group
    }

    // MARK: One round

    /// Follows what the user of a connection requires.
    func follow(_ demand: UpgradedLink.Demand, of id: UInt32) {
        guard let socket = sockets[id] else { return }
        switch demand {
        case .read: activate(socket)
        case .write:
            socket.mayWrite = true
            activate(socket)
        case .close: remove(socket, .cancelled(ErrorContext(stage: .body)))
        }
    }

    /// Writes to a connection outside of a round, and resumes the caller of each write that is complete.
    func write(to id: UInt32, _ finish: Finish) {
        guard let socket = sockets[id] else { return }
        // Within the completion of a write, the next round writes: otherwise a busy sender would nest these calls without a limit.
        guard !isResuming else {
            socket.mayWrite = true
            return activate(socket)
        }
        _ = write(socket, finish)
        resumeWrites()
    }

    /// Does what the events, timers and demands since the last round require.
    func run(_ finish: Finish) {
        if mayHaveEvents { takeEvents(finish) }
        mayHaveEvents = true
        runTimers(finish)
        var left = UpgradedSockets.perRound
        let turns = active
        active.removeAll(keepingCapacity: true)
        for socket in turns {
            socket.isActive = false
            guard !socket.isRemoved else { continue }
            guard left > 0 else {
                activate(socket)
                continue
            }
            left -= serve(socket, finish)
        }
    }

    /// Resumes the readers and writers of the round.
    func end() {
        for group in closing { group.close() }
        closing.removeAll()
        for link in awaited { link.pipe.flush() }
        awaited.removeAll(keepingCapacity: true)
        resumeWrites()
    }

    private func resumeWrites() {
        isResuming = true
        defer { isResuming = false }
        for write in written { write.resume() }
        written.removeAll(keepingCapacity: true)
    }

    private func takeEvents(_ finish: Finish) {
        let count = Int(cengine_poller_take(poller, &events, Int32(events.count), 0))
        for event in events.prefix(count) {
            if event.token & UpgradedSockets.openMark != 0 {
                guard let socket = sockets[UInt32(truncatingIfNeeded: event.token)] else { continue }
                // TLS may have to write in order to read, and the other way round.
                if event.can_read || socket.usesTLS { socket.mayRead = true }
                if event.can_write || socket.usesTLS { socket.mayWrite = true }
                activate(socket)
            } else if let group = groups[UInt32(truncatingIfNeeded: event.token >> 32)] {
                let bits = (event.can_read ? CURL_CSELECT_IN.code : 0) | (event.can_write ? CURL_CSELECT_OUT.code : 0)
                group.act(on: Int32(truncatingIfNeeded: event.token), Int32(bits))
                collect(group, finish)
            }
        }
    }

    private func runTimers(_ finish: Finish) {
        guard timers.nextDue != nil else { return }
        let now = ContinuousClock.now
        for group in timers.take(at: now) {
            group.act(on: Int32(CURL_SOCKET_TIMEOUT.code), 0)
            collect(group, finish)
        }
    }

    /// Continues the transfers whose connections are open, and ends those whose could not be opened.
    ///
    /// Called whenever libcurl has worked: before it opens another connection, it may close one that was not used yet.
    private func collect(_ group: UpgradeGroup, _ finish: Finish) {
        var left: Int32 = 0
        while let message = functions.pointee.multi_info_read(group.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE.code, let easy = message.pointee.easy_handle else { continue }
            let code = Int(message.pointee.data.result)
            guard let handle = CurlCallbacks.handle(ccurl_get_pointer(functions, easy, Int32(CURLINFO_PRIVATE.code))),
                let transfer = handle.transfer, let socket = transfer.upgrade?.socket
            else { continue }
            let descriptor = ccurl_active_socket(functions, easy)
            guard code == CURLE_OK.code, descriptor >= 0 else {
                finish(transfer, transfer.result(handle, code == CURLE_OK.code ? CURLE_SEND_ERROR.code : code))
                continue
            }
            socket.connected(descriptor)
            let token = UpgradedSockets.openMark | UInt64(socket.link.id)
            guard cengine_poller_watch(poller, descriptor, token, true, true, true) else {
                finish(transfer, .failure(.engineUnavailable("the socket could not be polled")))
                continue
            }
            _ = serve(socket, finish)
        }
    }

    private func activate(_ socket: UpgradedSocket) {
        guard !socket.isActive else { return }
        socket.isActive = true
        active.append(socket)
    }

    /// Writes and reads what is possible. Returns the number of bytes.
    private func serve(_ socket: UpgradedSocket, _ finish: Finish) -> Int {
        var count = 0
        if socket.mayWrite { count += write(socket, finish) }
        if !socket.isRemoved, socket.mayRead { count += read(socket, finish) }
        return count
    }

    // MARK: Writing

    private func write(_ socket: UpgradedSocket, _ finish: Finish) -> Int {
        var count = 0
        while socket.mayWrite, let write = socket.nextWrite {
            guard count < UpgradedSockets.perTurn else {
                activate(socket)
                break
            }
            var sent = 0
            var code = Int(CURLE_OK.code)
            _ = write.send { bytes -> Int? in
                let part = min(bytes.count, UpgradedSockets.perTurn)
                code = Int(functions.pointee.easy_send(socket.handle.curl, bytes.baseAddress, part, &sent))
                return code == CURLE_OK.code ? sent : nil
            }
            count += sent
            switch code {
            case CURLE_OK.code: if write.isComplete { complete(write, socket) }
            case CURLE_AGAIN.code: socket.mayWrite = false
            default:
                fail(socket, code, finish)
                return count
            }
        }
        return count
    }

    private func complete(_ write: PendingWrite, _ socket: UpgradedSocket) {
        guard case .open = socket.phase else { return socket.requestIsSent() }
        if socket.link.removes(write) { written.append(write) }
    }

    // MARK: Reading

    private func read(_ socket: UpgradedSocket, _ finish: Finish) -> Int {
        var count = 0
        while socket.mayRead, !socket.isRemoved {
            let room = min(socket.room, round.scratch.count)
            guard room > 0 else { break }
            guard count < UpgradedSockets.perTurn else {
                activate(socket)
                break
            }
            var received = 0
            let code = Int(functions.pointee.easy_recv(socket.handle.curl, round.scratch.baseAddress, room, &received))
            switch code {
            case CURLE_OK.code where received > 0:
                count += received
                receive(UnsafeRawBufferPointer(rebasing: round.scratch[..<received]), socket, finish)
            case CURLE_OK.code:
                socket.mayRead = false
                end(socket, finish)
            case CURLE_AGAIN.code: socket.mayRead = false
            default: fail(socket, code, finish)
            }
        }
        return count
    }

    private func receive(
        _ bytes: UnsafeRawBufferPointer, _ socket: UpgradedSocket, _ finish: Finish
    ) {
        guard let transfer = socket.transfer else { return deliver(bytes, socket) }
        if !transfer.reception.hasBegun { transfer.responseBegins() }
        switch socket.receive(bytes, for: transfer) {
        case .more: break
        case .complete: finish(transfer, .success(()))
        case .switched(let end):
            socket.open()
            if let upgrade = transfer.upgrade { upgrade.completion.complete(with: .bytes(UpgradedStream(socket.link))) }
            finish(transfer, .success(()))
            if end < bytes.count { deliver(UnsafeRawBufferPointer(rebasing: bytes[end...]), socket) }
        }
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer, _ socket: UpgradedSocket) {
        if case .awaited = socket.link.pipe.write(bytes), awaited.last !== socket.link { awaited.append(socket.link) }
    }

    /// Handles the end of what the server sends.
    private func end(_ socket: UpgradedSocket, _ finish: Finish) {
        guard let transfer = socket.transfer else { return socket.link.pipe.end(.success(())) }
        finish(transfer, socket.endOfConnection(for: transfer))
    }

    private func fail(_ socket: UpgradedSocket, _ code: Int, _ finish: Finish) {
        if let transfer = socket.transfer { return finish(transfer, transfer.result(socket.handle, code)) }
        let failure = NetworkFailure(.connectionLost, socket.handle.words, context: ErrorContext(stage: .body))
        remove(socket, .networkError(failure))
    }

    // MARK: The end

    /// Closes a connection, and ends what its user reads and writes.
    private func remove(_ socket: UpgradedSocket, _ reason: HTTPError) {
        guard !socket.isRemoved else { return }
        socket.isRemoved = true
        sockets[socket.link.id] = nil
        socket.link.endWrites(reason)
        socket.link.pipe.end(.failure(reason))
        let group = socket.group
        if socket.descriptor >= 0 { cengine_poller_forget(poller, socket.descriptor) }
        _ = functions.pointee.multi_remove_handle(group.multi, socket.handle.curl)
        socket.link.place?.leave()
        group.count -= 1
        let isSpare = group.count == 0 && (version < .closesUpgraded || groups.count > 1)
        guard isSpare else { return }
        groups[group.number] = nil
        closing.append(group)
    }
}
