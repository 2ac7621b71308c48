internal import CMartletCurl
internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The functions that libcurl calls on the engine's thread. The context is the ``EasyHandle``, which outlives its transfer.
enum CurlCallbacks {
    static let receiveHeader: ccurl_data_callback = { bytes, size, count, context in
        guard let bytes, let handle = CurlCallbacks.handle(context), let transfer = handle.transfer else { return 0 }
        let line = UnsafeBufferPointer(start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: size * count)
        if handle.isOpeningTunnel { return CurlCallbacks.receiveTunnel(line, handle, transfer) }
        if handle.head.isAtStatusLine, transfer.sending.upload != nil { transfer.responseBegins() }
        let progress = handle.head.add(line)
        if case .complete = progress { CurlCallbacks.headIsComplete(handle, transfer) }
        let action = transfer.reception.receive(progress, of: &handle.head)
        return transfer.perform(action) ? line.count : CurlCallbacks.refusal(of: line.count)
    }

    /// Records what the end of a head tells about the request and the connection.
    private static func headIsComplete(_ handle: EasyHandle, _ transfer: CurlTransfer) {
        if transfer.sending.isPaused { handle.round.answeredEarly(transfer) }
        handle.keepConnection()
        if handle.head.version == .http2 { handle.round.sharesConnection(transfer) }
        // The announced body will not be sent. The server may take the next request for it (RFC 9110 §10.1.1).
        let isUncheckable = !handle.setup.keepsConnections && handle.head.version != .http2
        if transfer.sending.isWithheld || isUncheckable { handle.forbidReuse() }
    }

    /// Receives a line of the proxy's response to `CONNECT`.
    private static func receiveTunnel(_ line: UnsafeBufferPointer<UInt8>, _ handle: EasyHandle, _ transfer: CurlTransfer) -> Int {
        // After a 407, libcurl may repeat the CONNECT with credentials.
        if handle.tunnelHead.isComplete {
            let limits = transfer.reception.terms.limits
            handle.tunnelHead.reset(limit: limits.headBytes, fieldLimit: limits.fieldCount)
        }
        let action = transfer.reception.receiveTunnel(handle.tunnelHead.add(line))
        return transfer.perform(action) ? line.count : CurlCallbacks.refusal(of: line.count)
    }

    static let receiveBody: ccurl_data_callback = { bytes, size, count, context in
        guard let handle = CurlCallbacks.handle(context), let transfer = handle.transfer else { return 0 }
        let received = transfer.receive(UnsafeRawBufferPointer(start: bytes, count: size * count), in: handle.round)
        if received.isAwaited { handle.round.noteAwaited(transfer) }
        switch received.receipt {
        case .taken: return size * count
        case .stopped: return CurlCallbacks.refusal(of: size * count)
        case .paused(let pause):
            if pause == .untilTurn { handle.round.turns.append(transfer) }
            return Int(CURL_WRITEFUNC_PAUSE.code)
        }
    }

    static let sendBody: ccurl_data_callback = { bytes, size, count, context in
        guard let handle = CurlCallbacks.handle(context), let transfer = handle.transfer else { return 0 }
        switch transfer.sending.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
        case .bytes(let given): return given
        case .stalled:
            if transfer.reception.isHeadComplete { handle.round.answeredEarly(transfer) }
            return Int(CURL_READFUNC_PAUSE.code)
        case .failed(let error):
            transfer.reception.fail(error)
            return Int(CURL_READFUNC_ABORT.code)
        }
    }

    /// Called after the last byte of a body in chunks, if trailers follow it. libcurl frees the list.
    static let sendTrailers: ccurl_trailer_callback = { list, context in
        guard let list, let handle = CurlCallbacks.handle(context), let upload = handle.transfer?.sending.upload else {
            return Int32(CURL_TRAILERFUNC_ABORT.code)
        }
        var isComplete = true
        upload.takeTrailers().forEachLineOfBytes { name, value in
            let line = (Array(name) + [UInt8(ascii: ":"), UInt8(ascii: " ")] + value + [0]).map { CChar(bitPattern: $0) }
            guard let longer = handle.options.functions.pointee.slist_append(list.pointee, line) else { return isComplete = false }
            list.pointee = longer
        }
        return Int32(isComplete ? CURL_TRAILERFUNC_OK.code : CURL_TRAILERFUNC_ABORT.code)
    }

    static let rewindBody: ccurl_seek_callback = { context, offset, origin in
        guard let handle = CurlCallbacks.handle(context), let transfer = handle.transfer, offset == 0, origin == 0 else {
            return Int32(CURL_SEEKFUNC_FAIL.code)
        }
        return Int32(transfer.continues(unless: transfer.sending.rewind()) ? CURL_SEEKFUNC_OK.code : CURL_SEEKFUNC_FAIL.code)
    }

    /// Opens the socket of each connection. The socket is close-on-exec, and opened only to an address that the request may connect to.
    static let openSocket: ccurl_socket_callback = { context, _, address in
        guard let handle = CurlCallbacks.handle(context), let transfer = handle.transfer, let address else {
            return Int32(CURL_SOCKET_BAD.code)
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = ccurl_address(address, &bytes)
        guard transfer.mayConnect(to: IPAddress(bytes: Array(bytes.prefix(Int(count))))) else { return Int32(CURL_SOCKET_BAD.code) }
        // Always TCP or a Unix socket, because HTTP/3 is not enabled.
        let socket = NonBlockingDescriptor.streamSocket(family: address.pointee.family)
        handle.opens(socket)
        return socket
    }

    /// Called before each attempt to send a request. Other requests may have opened the connection.
    static let mayBeSent: ccurl_ready_callback = { context, remote, local, remotePort, localPort in
        guard let handle = CurlCallbacks.handle(context), let transfer = handle.transfer, let remote, let local else {
            return Int32(CURL_PREREQFUNC_ABORT.code)
        }
        handle.beginAttempt()
        guard handle.mayUseConnection(between: ConnectionEnds(remote: remote, remotePort: remotePort, local: local, localPort: localPort))
        else {
            // libcurl would keep the connection, because the transfer has not touched it.
            handle.forbidReuse()
            transfer.sending.refuseConnection()
            return Int32(CURL_PREREQFUNC_ABORT.code)
        }
        guard transfer.continues(unless: transfer.sending.beginAttempt(isReused: handle.isOnKeptConnection)),
            !transfer.sending.needsNewConnection,
            !transfer.outgoing.route.isGuarded || transfer.mayConnect(to: IPAddress(String(cString: remote)))
        else {
            // libcurl would keep a new connection, and without a response nothing records its socket.
            if !handle.isOnKeptConnection { handle.forbidReuse() }
            return Int32(CURL_PREREQFUNC_ABORT.code)
        }
        return Int32(CURL_PREREQFUNC_OK.code)
    }

    /// Called with libcurl's debug text, and with the bytes that it sends and receives.
    static let notice: ccurl_debug_callback = { _, type, text, count, context in
        guard type == CURLINFO_TEXT.code, let text, let handle = CurlCallbacks.handle(context), let transfer = handle.transfer else {
            return 0
        }
        let line = UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
        if let notice = DebugNotice(line) { handle.note(notice, about: transfer) }
        return 0
    }

    /// Called for each byte of a body with which a proxy refuses a tunnel, among others; any result but 0 stops the transfer.
    ///
    /// libcurl reads such a body in one loop for as long as bytes arrive, and looks at no other transfer and no deadline meanwhile.
    static let advance: ccurl_progress_callback = { context, _, _, _, _ in
        CurlCallbacks.handle(context)?.mayReadRefusal() == false ? 1 : 0
    }

    static func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns a number other than `count`, which stops the transfer.
    private static func refusal(of count: Int) -> Int { count == 0 ? 1 : 0 }
}
