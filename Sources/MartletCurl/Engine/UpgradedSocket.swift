internal import CMartletCurl
internal import CMartletEngine
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// The engine's end of a connection that is upgraded, or will be. Only the engine's thread uses it.
final class UpgradedSocket {
    enum Phase {
        /// libcurl opens the connection.
        case connecting
        /// The head of the request is sent.
        case sending(PendingWrite)
        case receiving
        case open
    }

    let handle: EasyHandle
    let group: UpgradeGroup
    let link: UpgradedLink
    private(set) var phase = Phase.connecting
    /// The transfer, until its caller has the response.
    var transfer: CurlTransfer?
    /// The socket; -1 while libcurl connects.
    private(set) var descriptor: Int32 = -1
    /// Whether bytes pass through TLS, that of the server or of a proxy.
    let usesTLS: Bool
    // Whether the system, or TLS, is not known to be out of bytes, or of room for them.
    var mayRead = false
    var mayWrite = false
    /// Whether the socket waits for its turn.
    var isActive = false
    var isRemoved = false
    private var response = UpgradeResponse()

    init(_ transfer: CurlTransfer, _ handle: EasyHandle, _ group: UpgradeGroup, _ link: UpgradedLink) {
        self.transfer = transfer
        self.handle = handle
        self.group = group
        self.link = link
        usesTLS = handle.isSecure || handle.route.proxy?.url.scheme == "https"
    }

    /// The number of bytes that may be received now.
    var room: Int { if case .open = phase { link.pipe.room() } else { .max } }

    var nextWrite: PendingWrite? {
        switch phase {
        case .sending(let head): head
        case .open: link.nextWrite
        case .connecting, .receiving: nil
        }
    }

    /// Continues with the head of the request when libcurl has opened the connection.
    func connected(_ descriptor: Int32) {
        self.descriptor = descriptor
        phase = .sending(PendingWrite(Data(transfer?.upgrade?.head ?? [])))
        mayWrite = true
        // TLS may have bytes already.
        mayRead = true
    }

    func requestIsSent() { phase = .receiving }

    /// Hands the connection over to its user.
    func open() {
        phase = .open
        response = UpgradeResponse()
        link.open(direct: usesTLS ? nil : StreamSocket(descriptor: descriptor))
    }

    /// Receives bytes of the response.
    func receive(_ bytes: UnsafeRawBufferPointer, for transfer: CurlTransfer) -> UpgradeResponse.Progress {
        response.receive(bytes.bindMemory(to: UInt8.self), &handle.head, &transfer.reception)
    }

    /// The result of a transfer whose server has ended the connection.
    func endOfConnection(for transfer: CurlTransfer) -> Result<Void, HTTPError> {
        if response.endsWithConnection { return .success(()) }
        return transfer.result(handle, transfer.reception.isHeadComplete ? CURLE_PARTIAL_FILE.code : CURLE_GOT_NOTHING.code)
    }
}

/// The groups that libcurl has set a timer for. Groups with idle connections have none, so that rounds do not look at them.
final class UpgradeTimers {
    private var groups: [UInt32: UpgradeGroup] = [:]

    /// When the first of them is due.
    var nextDue: ContinuousClock.Instant? { groups.values.lazy.compactMap(\.due).min() }

    func note(_ group: UpgradeGroup) { groups[group.number] = group.due == nil ? nil : group }

    func forget(_ group: UpgradeGroup) { groups[group.number] = nil }

    /// Removes and returns the groups that are due.
    func take(at now: ContinuousClock.Instant) -> [UpgradeGroup] {
        let due = groups.values.filter { $0.due.map { $0 <= now } ?? true }
        for group in due {
            group.due = nil
            groups[group.number] = nil
        }
        return due
    }
}

/// A multi handle of libcurl for connections that it opens and that are then upgraded. Only the engine's thread uses it.
///
/// libcurl tells which sockets it waits for, and for how long, so that the thread polls them together with all others.
final class UpgradeGroup {
    /// The number of connections of a group.
    static let size = 128

    let number: UInt32
    let multi: UnsafeMutableRawPointer
    var count = 0
    /// When libcurl wants to be called next.
    var due: ContinuousClock.Instant?
    private let functions: UnsafePointer<ccurl_functions>
    private let poller: Int32
    private let timers: UpgradeTimers

    init?(_ functions: UnsafePointer<ccurl_functions>, number: UInt32, poller: Int32, timers: UpgradeTimers) {
        guard let multi = ccurl_make_multi(functions) else { return nil }
        self.functions = functions
        self.number = number
        self.multi = multi
        self.poller = poller
        self.timers = timers
        let me = Unmanaged.passUnretained(self).toOpaque()
        func set(_ option: some FixedWidthInteger, _ value: UnsafeMutableRawPointer?) {
            _ = ccurl_multi_set_pointer(functions, multi, Int32(option), value)
        }
        set(CURLMOPT_SOCKETDATA, me)
        set(CURLMOPT_TIMERDATA, me)
        set(CURLMOPT_SOCKETFUNCTION, unsafeBitCast(UpgradeGroup.watch, to: UnsafeMutableRawPointer?.self))
        set(CURLMOPT_TIMERFUNCTION, unsafeBitCast(UpgradeGroup.setTimer, to: UnsafeMutableRawPointer?.self))
    }

    /// Closes all connections of the group.
    func close() {
        _ = functions.pointee.multi_cleanup(multi)
        timers.forget(self)
    }

    /// Lets libcurl work on a socket, or on all that is due.
    func act(on socket: Int32, _ events: Int32) {
        var running: Int32 = 0
        _ = functions.pointee.multi_socket_action(multi, socket, events, &running)
    }

    private static let watch: ccurl_poll_callback = { _, socket, interest, context, _ in
        guard let group = UpgradeGroup.group(context) else { return 0 }
        if interest == CURL_POLL_REMOVE.code {
            cengine_poller_forget(group.poller, socket)
        } else {
            let token = UInt64(group.number) << 32 | UInt64(UInt32(bitPattern: socket))
            let reads = Int(interest) & CURL_POLL_IN.code != 0, writes = Int(interest) & CURL_POLL_OUT.code != 0
            _ = cengine_poller_watch(group.poller, socket, token, reads, writes, false)
        }
        return 0
    }

    private static let setTimer: ccurl_timer_callback = { _, milliseconds, context in
        guard let group = UpgradeGroup.group(context) else { return 0 }
        group.due = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        group.timers.note(group)
        return 0
    }

    private static func group(_ context: UnsafeMutableRawPointer?) -> UpgradeGroup? {
        context.map { Unmanaged<UpgradeGroup>.fromOpaque($0).takeUnretainedValue() }
    }
}
