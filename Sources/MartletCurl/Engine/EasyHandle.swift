internal import CMartletCurl
internal import MartletCodings
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP

/// One of libcurl's easy handles. It runs one transfer after another.
///
/// Fixed options are set once, and those of TLS, proxies and uploads when a request first needs them. For each transfer only the options
/// that differ from the last one are set. `curl_easy_reset` costs more: about fifteen options must then be set again, and their strings
/// copied. The versions of libcurl in ``CurlVersion/keepsFreedField`` need more than that: a new handle for each transfer.
final class EasyHandle: @unchecked Sendable {
    // Proof: it has one owner at a time: the task that took it from the pool until that task posts `.start`, then the engine's thread until
    // that thread puts it back, or posts `.start` to another engine. A lock orders these transfers of ownership. Accesses to the properties
    // that every call uses are not checked for overlaps: each is a read, an assignment, a method of a value that calls nothing outside it,
    // or `Reception.receive` or `ProxyChallenge.init`, which use a head only through their argument.

    /// How the body of a request is passed to libcurl.
    private enum BodyPassing {
        case none
        /// libcurl asks for its bytes.
        case asked
        /// libcurl has a copy of its bytes, and sends them together with the head.
        case copied
    }

    /// The options that are set on libcurl's handle, and must be set again on a new one.
    private struct Applied {
        var route = Route()
        var method = ""
        var isHead = false
        var body = BodyPassing.none
        var readsUploads = false
        var sendsTrailers = false
        /// The kept-alive connections that the last request may use.
        var reuse: ConnectionReuse?
        var isForbiddenReuse = false
        /// Whether the body of the last request was streamed, or nil before the first request.
        var isStreamed: Bool?
        var isSecured = false
        var isProxySecured = false
        var readsTunnel = false
        var expectsHTTP2 = false
    }

    let options: EasyOptions
    let setup: HandleSetup
    /// Collects the callbacks' work for the end of the round of the engine that runs the transfer.
    @exclusivity(unchecked) private(set) var round: EngineRound
    @exclusivity(unchecked) var transfer: CurlTransfer?
    @exclusivity(unchecked) var head = ResponseHead()
    /// The head of the proxy's response to `CONNECT`, parsed separately from the response to the request.
    @exclusivity(unchecked) var tunnelHead = ResponseHead()
    /// The connection that the running transfer has opened for its last attempt.
    @exclusivity(unchecked) var newConnection: (ends: ConnectionEnds, socket: Int32)?
    /// The sockets that libcurl has opened for the running transfer. It connects to several addresses at the same time.
    @exclusivity(unchecked) private var openedSockets: [Int32] = []
    /// Whether the last attempt of the running transfer uses a connection that an earlier transfer has opened.
    @exclusivity(unchecked) private(set) var isOnKeptConnection = false
    /// The number of connections that the running transfer had opened at its last attempt.
    @exclusivity(unchecked) private var openedCount = 0
    /// Whether the last request is sent over TLS.
    @exclusivity(unchecked) private(set) var isSecure = false
    /// Whether the response to the last request is decoded.
    private(set) var isDecoding = true
    /// The error that the last request must fail with, because an option could not be set.
    @exclusivity(unchecked) private(set) var fault: HTTPError?

    @exclusivity(unchecked) private var applied = Applied()
    /// Whether libcurl's handle must not run another transfer.
    @exclusivity(unchecked) private var isSpent = false
    @exclusivity(unchecked) private var lines = RequestFieldList(acceptEncoding: ContentCoding.accepted.map { "Accept-Encoding: " + $0 })
    private var addresses: AddressList?
    private let errorText: UnsafeMutablePointer<CChar>
    /// Whether the last request must use a new connection, whatever the age of the kept-alive ones.
    private var needsNewConnection = false

    var curl: UnsafeMutableRawPointer { options.curl }
    /// The route of the last request.
    var route: Route { applied.route }

    init?(_ setup: HandleSetup, round: EngineRound) {
        guard let curl = setup.library.functions.pointee.easy_init() else { return nil }
        options = EasyOptions(functions: setup.library.functions, curl: curl)
        self.setup = setup
        self.round = round
        errorText = .allocate(capacity: CURL_ERROR_SIZE.code)
        errorText.initialize(repeating: 0, count: CURL_ERROR_SIZE.code)
        setCallbacks()
        setup.apply(to: options)
    }

    deinit {
        options.functions.pointee.easy_cleanup(curl)
        lines.deallocate()
        errorText.deallocate()
    }

    /// libcurl's text about the last failure.
    var words: String { String(cString: errorText) }

    /// Replaces libcurl's handle by a new one.
    func renew() {
        isSpent = false
        guard options.renew() else {
            fault = .engineUnavailable("there is no memory for another handle of libcurl")
            return
        }
        applied = Applied()
        setCallbacks()
        setup.apply(to: options)
        addresses = nil
    }

    /// Records that libcurl's handle runs a transfer.
    func begins() { if setup.library.version.keepsFreedField { isSpent = true } }

    /// Records that the transfer has ended.
    ///
    /// A handle that has opened a connection, or whose connection died, may have counted a dead connection.
    func ended() {
        guard !isSpent, setup.library.version.countsDeadConnections else { return }
        isSpent = transfer.map { $0.sending.delivery.deaths > 0 } ?? false || options.number(CURLINFO_NUM_CONNECTS) > 0
    }

    // MARK: During the transfer

    /// Records that libcurl is about to send the request on the connection that it has chosen.
    func beginAttempt() {
        // libcurl writes one text for each transfer. That of an earlier attempt says nothing about this one.
        errorText.pointee = 0
        let count = options.number(CURLINFO_NUM_CONNECTS)
        isOnKeptConnection = count == openedCount
        openedCount = count
    }

    /// Records a socket that libcurl is about to connect.
    func opens(_ socket: Int32) { openedSockets.append(socket) }

    /// Returns the socket of a connection that the transfer has opened, or -1, with which every look fails.
    func openedSocket(between ends: ConnectionEnds) -> Int32 {
        openedSockets.last { ccurl_local_port($0) == ends.localPort } ?? -1
    }

    /// Records what libcurl's debug text tells about a transfer.
    func note(_ notice: DebugNotice, about transfer: CurlTransfer) {
        switch notice {
        case .connection(let number): transfer.sending.delivery.uses(connection: number)
        case .stream(let id): transfer.sending.delivery.uses(stream: id, on: connection(of: transfer))
        case .goAway(let lastStream):
            if let connection = connection(of: transfer) { round.retired.retire(connection, lastStream: lastStream) }
        case .headTooLarge: transfer.sending.delivery.endsByLargeHead()
        case .connectionDied: transfer.sending.delivery.died(round.retired)
        }
    }

    /// The number of a transfer's connection. Older versions tell it in their debug text alone.
    private func connection(of transfer: CurlTransfer) -> Int64? {
        guard setup.library.version >= .numbersConnections else { return transfer.sending.delivery.connection }
        let number = options.offset(CURLINFO_CONN_ID)
        return number >= 0 ? number : nil
    }

    // MARK: Afterwards

    /// Records the durations of the phases so far, the remote address, and whether the connection was reused.
    func record(_ time: ExchangeTime, lookup: Duration?, hasEnded: Bool, in metadata: inout ResponseMetadata) {
        var timings = ResponseMetadata.Timings(queued: time.queued)
        let isReused = options.number(CURLINFO_NUM_CONNECTS) == 0
        if !isReused {
            let looked = options.moment(CURLINFO_NAMELOOKUP_TIME_T)
            let connected = options.moment(CURLINFO_CONNECT_TIME_T)
            timings.nameLookup = lookup ?? looked
            timings.connect = connected.map { $0 - (looked ?? .zero) }
            timings.tls = options.moment(CURLINFO_APPCONNECT_TIME_T).map { $0 - (connected ?? .zero) }
        }
        timings.firstByte = time.firstLine ?? options.moment(CURLINFO_STARTTRANSFER_TIME_T)
        if hasEnded { timings.total = options.moment(CURLINFO_TOTAL_TIME_T) }
        let address = options.text(CURLINFO_PRIMARY_IP)
        metadata.record(timings, remoteAddress: address?.isEmpty == true ? nil : address, isConnectionReused: isReused)
    }

    // MARK: Once

    /// The context of callbacks.
    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func setCallbacks() {
        options.set(CURLOPT_PRIVATE, pointer: me)
        options.set(CURLOPT_WRITEDATA, pointer: me)
        options.set(CURLOPT_HEADERDATA, pointer: me)
        options.set(CURLOPT_OPENSOCKETDATA, pointer: me)
        options.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        options.set(CURLOPT_WRITEFUNCTION, callback: CurlCallbacks.receiveBody)
        options.set(CURLOPT_HEADERFUNCTION, callback: CurlCallbacks.receiveHeader)
        options.set(CURLOPT_OPENSOCKETFUNCTION, callback: CurlCallbacks.openSocket)
        guard setup.library.version >= .asksBeforeRequests else { return }
        options.set(CURLOPT_PREREQDATA, pointer: me)
        options.set(CURLOPT_PREREQFUNCTION, callback: CurlCallbacks.mayBeSent)
    }

    // MARK: The options of one transfer, set only if they differ from the last transfer's

    /// Sets the options of a request.
    func prepare(_ outgoing: OutgoingRequest, upload: Upload?) {
        let request = outgoing.request, route = outgoing.route
        fault = nil
        if isSpent { renew() }
        errorText.pointee = 0
        head.reset(limit: request.context.limits.headBytes, fieldLimit: request.context.limits.fieldCount)
        tunnelHead.reset(limit: request.context.limits.headBytes, fieldLimit: request.context.limits.fieldCount)
        options.set(CURLOPT_URL, string: outgoing.url)
        isSecure = request.checkedOrigin?.isSecure ?? (request.url.scheme?.lowercased() == "https")
        newConnection = nil
        if !openedSockets.isEmpty { openedSockets = [] }
        openedCount = 0
        secure(route, hasTrailers: upload?.hasTrailers ?? false)
        take(route)
        setMethod(request.method, upload: upload, expectsContinue: request.expectsContinue)
        setReadLength(isStreamed: request.context.streamsBody)
        let patience = request.context.expectContinue
        let traits = lines.write(
            request.headers, hasBody: upload != nil, isCopied: applied.body == .copied,
            expectsContinue: patience != nil && upload?.length != 0)
        options.set(CURLOPT_EXPECT_100_TIMEOUT_MS, (patience ?? .seconds(1)).wholeMilliseconds)
        options.set(CURLOPT_HTTPHEADER, pointer: lines.list())
        isDecoding = !traits.contains(.wantsRawBody)
        // Old versions cannot check the address of a kept-alive connection, or stop a second delivery of a request without bytes.
        let canAsk = setup.library.version >= .asksBeforeRequests
        let mayUseKept = request.isIdempotent || (upload?.mayUseKeptConnection(asks: canAsk) ?? canAsk)
        needsNewConnection = route.isGuarded && !canAsk || !mayUseKept
        sendTrailers(upload?.hasTrailers ?? false)
        if applied.isForbiddenReuse {
            applied.isForbiddenReuse = false
            options.set(CURLOPT_FORBID_REUSE, 0)
        }
        fault = options.takeFault() ?? fault
    }

    /// Sets the options of a request for an upgrade: libcurl only opens a connection of HTTP/1.1, through a tunnel if there is a proxy. The
    /// handle must not run another transfer.
    func prepareForUpgrade(_ outgoing: OutgoingRequest) {
        let limits = outgoing.request.context.limits
        head.reset(limit: limits.headBytes, fieldLimit: limits.fieldCount, acceptsUpgrade: true)
        isDecoding = false
        expectHTTP2(false)
        options.set(CURLOPT_CONNECT_ONLY, 1)
        options.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1.code)
        options.set(CURLOPT_BUFFERSIZE, 16 * 1024)
        // A connection in use has no age, but libcurl must not count one that has not begun yet.
        if setup.configuration.maxConnectionAge != nil { options.set(CURLOPT_MAXLIFETIME_CONN, 0) }
        if route.proxy?.url.scheme?.hasPrefix("http") == true {
            options.set(CURLOPT_HTTPPROXYTUNNEL, 1)
            readTunnel(true)
        }
        needsNewConnection = true
        fault = fault ?? options.takeFault()
    }

    /// Sets which connections the request may use. Called when the request starts.
    func limitReuse(to allowed: ConnectionReuse) {
        let wanted = needsNewConnection ? .never : allowed
        guard wanted != applied.reuse else { return }
        applied.reuse = wanted
        switch wanted {
        case .never: options.set(CURLOPT_FRESH_CONNECT, 1)
        case .idle(let seconds):
            options.set(CURLOPT_FRESH_CONNECT, 0)
            options.set(CURLOPT_MAXAGE_CONN, seconds)
        }
        fault = fault ?? options.takeFault()
    }

    /// Closes the connection when the transfer ends.
    func forbidReuse() {
        applied.isForbiddenReuse = true
        options.set(CURLOPT_FORBID_REUSE, 1)
    }

    private func secure(_ route: Route, hasTrailers: Bool) {
        if isSecure, !applied.isSecured {
            applied.isSecured = true
            setup.secure(options)
        }
        if route.proxy?.url.scheme == "https", !applied.isProxySecured {
            applied.isProxySecured = true
            setup.secureProxy(options)
        }
        expectHTTP2(isSecure && setup.configuration.allowsHTTP2 && !hasTrailers)
        readTunnel(isSecure && route.proxy?.url.scheme?.hasPrefix("http") == true)
    }

    /// Sets whether the connection may turn out to be shared (HTTP/2): to wait for a pending one instead of opening another, and to receive
    /// the notices about streams.
    ///
    /// Only over TLS, where the handshake settles that. Without TLS libcurl would know only after the first response, and would delay all
    /// requests to the origin until then.
    private func expectHTTP2(_ wanted: Bool) {
        guard wanted != applied.expectsHTTP2 else { return }
        applied.expectsHTTP2 = wanted
        options.offer(CURLOPT_PIPEWAIT, wanted ? 1 : 0)
        // libcurl tells of a GOAWAY to whichever transfer reads it, so each must have the text.
        guard setup.library.version.tellsStreams else { return }
        options.set(CURLOPT_DEBUGDATA, pointer: me)
        options.set(CURLOPT_DEBUGFUNCTION, callback: CurlCallbacks.notice)
        options.set(CURLOPT_VERBOSE, wanted ? 1 : 0)
    }

    private func setReadLength(isStreamed wanted: Bool) {
        guard wanted != applied.isStreamed else { return }
        applied.isStreamed = wanted
        options.offer(CURLOPT_BUFFERSIZE, wanted ? setup.streamedRead : HandleSetup.collectedRead)
    }

    private func setMethod(_ wanted: HTTPMethod, upload: Upload?, expectsContinue: Bool) {
        let wantsHead = wanted == .head && upload == nil
        let copied = expectsContinue ? nil : setup.copiedBody(of: upload)
        let body: BodyPassing = copied != nil ? .copied : upload != nil ? .asked : .none
        if applied.isHead || applied.body != body { withdrawBody() }
        if let copied {
            options.set(body: copied)
        } else if let upload {
            setUploadCallbacks()
            if applied.body != .asked { options.set(CURLOPT_UPLOAD, 1) }
            options.set(CURLOPT_INFILESIZE_LARGE, offset: upload.length ?? -1)
        }
        if wantsHead { options.set(CURLOPT_NOBODY, 1) }
        (applied.body, applied.isHead) = (body, wantsHead)
        let name = wantsHead || wanted == .get && upload == nil ? "" : wanted.rawValue
        guard name != applied.method else { return }
        applied.method = name
        options.set(CURLOPT_CUSTOMREQUEST, string: name.isEmpty ? nil : name)
    }

    /// Undoes the options of the last request's body, or of a HEAD request.
    private func withdrawBody() {
        switch applied.body {
        case .none: guard applied.isHead else { return }
        case .asked: options.set(CURLOPT_UPLOAD, 0)
        case .copied: options.set(body: nil)
        }
        options.set(CURLOPT_HTTPGET, 1)
    }

    private func take(_ wanted: Route) {
        guard wanted != applied.route else { return }
        if wanted.proxy != route.proxy { use(wanted.proxy) }
        if wanted.pins != route.pins { options.set(CURLOPT_PINNEDPUBLICKEY, string: wanted.pins) }
        if wanted.identity != route.identity {
            options.set(wanted.identity.map { setup.configuration.tls.clientIdentities[$0].certificate })
        }
        if wanted.resolve != route.resolve { setResolveList(wanted.resolve.map { [$0] } ?? []) }
        applied.route = wanted
    }

    /// Moves to the engine of `round`, whose cache of names may lack the configured addresses: libcurl loads a list once, into the cache of
    /// the multi handle that runs the transfer.
    func move(to round: EngineRound) {
        self.round = round
        if let addresses { options.set(CURLOPT_RESOLVE, pointer: addresses.pointer) }
        fault = fault ?? options.takeFault()
    }

    /// Passes the addresses that were looked up for the request to libcurl. This is done for each request, because libcurl keeps one list
    /// for all transfers.
    func set(addresses: [String]) {
        guard !addresses.isEmpty else { return }
        setResolveList((route.resolve.map { [$0] } ?? []) + addresses)
        fault = fault ?? options.takeFault()
    }

    private func setResolveList(_ lines: [String]) {
        let list = lines.isEmpty ? nil : AddressList(lines)
        options.set(CURLOPT_RESOLVE, pointer: list?.pointer)
        addresses = list
    }

    /// Whether the current lines belong to the proxy's response to `CONNECT`: the request itself has not been sent yet.
    var isOpeningTunnel: Bool { applied.readsTunnel && options.moment(CURLINFO_PRETRANSFER_TIME_T) == nil }

    /// Counts a byte of the body with which a proxy refuses a tunnel. Returns false if the round's budget is used up.
    func mayReadRefusal() -> Bool { !isOpeningTunnel || !tunnelHead.isComplete || round.refusals.take() }

    /// Returns the proxy's challenge if it refused the tunnel with one.
    func takeChallenge() -> ProxyChallenge? { applied.readsTunnel && !head.isComplete ? ProxyChallenge(&tunnelHead) : nil }

    /// Sets whether a proxy's response to `CONNECT` is read. It is not the response to the request, and is parsed separately.
    private func readTunnel(_ wanted: Bool) {
        guard wanted != applied.readsTunnel else { return }
        applied.readsTunnel = wanted
        options.set(CURLOPT_XFERINFODATA, pointer: me)
        options.set(CURLOPT_XFERINFOFUNCTION, callback: CurlCallbacks.advance)
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, wanted ? 0 : 1)
        options.set(CURLOPT_NOPROGRESS, wanted ? 0 : 1)
    }

    private func use(_ proxy: Proxy?) {
        options.set(CURLOPT_PROXY, string: proxy?.url.absoluteString)
        options.set(CURLOPT_NOPROXY, string: proxy == nil ? "*" : "")
        options.set(CURLOPT_PROXYAUTH, CURLAUTH_BASIC.code)
        options.set(CURLOPT_PROXYUSERNAME, string: proxy?.username)
        options.set(CURLOPT_PROXYPASSWORD, string: proxy?.password)
    }

    /// Sets whether trailers follow the body, which libcurl sends only in chunks: over HTTP/1.1, and not on a kept connection of HTTP/2.
    private func sendTrailers(_ wanted: Bool) {
        if wanted, isSecure, setup.configuration.allowsHTTP2 { needsNewConnection = true }
        guard wanted != applied.sendsTrailers else { return }
        applied.sendsTrailers = wanted
        options.set(CURLOPT_TRAILERDATA, pointer: me)
        options.set(CURLOPT_TRAILERFUNCTION, callback: wanted ? CurlCallbacks.sendTrailers : nil)
        if wanted { options.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1.code) } else { setup.allowVersions(of: options) }
    }

    private func setUploadCallbacks() {
        guard !applied.readsUploads else { return }
        applied.readsUploads = true
        options.set(CURLOPT_READDATA, pointer: me)
        options.set(CURLOPT_SEEKDATA, pointer: me)
        options.set(CURLOPT_READFUNCTION, callback: CurlCallbacks.sendBody)
        options.set(CURLOPT_SEEKFUNCTION, callback: CurlCallbacks.rewindBody)
    }
}
