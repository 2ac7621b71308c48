internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP

/// One of libcurl's easy handles. It is set up once and runs one transfer after another.
///
/// Fixed options are set once. For each transfer only the options that differ from the last one are set. `curl_easy_reset` costs more:
/// about twenty options must then be set again, and their strings copied.
final class EasyHandle: @unchecked Sendable {
    // Proof: it has one owner at a time: the task that took it from the pool until that task posts `.start`, then the engine's thread until
    // that thread puts it back, or posts `.start` to another engine. A lock orders these transfers of ownership. Accesses to the properties
    // that every call uses are not checked for overlaps: each is a read, an assignment, a method of a value that calls nothing outside it,
    // or `Transfer.headIsComplete` or `ProxyChallenge.init`, which use a head only through their argument.

    let options: EasyOptions
    /// Collects the callbacks' work for the end of the round of the engine that runs the transfer.
    @exclusivity(unchecked) private(set) var round: EngineRound
    /// The memory for the bodies of responses.
    let bodies: BodyPool
    @exclusivity(unchecked) var transfer: Transfer?
    @exclusivity(unchecked) var head = ResponseHead()
    /// The head of the proxy's response to `CONNECT`, parsed separately from the response to the request.
    @exclusivity(unchecked) var tunnelHead = ResponseHead()
    private(set) var isHead = false
    /// Whether the response to the last request is decoded.
    private(set) var isDecoding = true
    /// The route of the last request.
    @exclusivity(unchecked) private(set) var route = Route()

    /// The error that the last request must fail with, because an option could not be set.
    @exclusivity(unchecked) private(set) var fault: HTTPError?
    /// The error of an option that is set once.
    private var lastingFault: HTTPError?

    @exclusivity(unchecked) private var lines = RequestFieldList(acceptEncoding: ContentCoding.acceptLine)
    private var addresses: AddressList?
    private let errorText: UnsafeMutablePointer<CChar>
    @exclusivity(unchecked) private var method = ""
    private var hasUpload = false
    /// Whether the last request must use a new connection, whatever the age of the kept-alive ones.
    private var needsNewConnection = false
    /// The kept-alive connections that the last request may use, as set in libcurl.
    @exclusivity(unchecked) private var reuse: ConnectionReuse?
    private var isForbiddenReuse = false
    /// The maximum number of bytes of a network read for a streamed body.
    let streamedRead: Int
    /// Whether the body of the last request was streamed, or nil before the first request.
    @exclusivity(unchecked) private var isStreamed: Bool?

    /// Closes the connection when the transfer ends.
    func forbidReuse() {
        isForbiddenReuse = true
        options.set(CURLOPT_FORBID_REUSE, 1)
    }

    private var isGuarded = false
    private var readsTunnel = false
    private let asksBeforeRequests: Bool
    private let versions: CurlTransport.Configuration.Versions
    /// The certificates to trust.
    let trust: TLSSettings.Trust
    private let identities: [ClientIdentity]
    private var waitsForSharing = false

    var curl: UnsafeMutableRawPointer { options.curl }

    init?(_ setup: HandleSetup, round: EngineRound) {
        guard let curl = setup.library.functions.pointee.easy_init() else { return nil }
        options = EasyOptions(functions: setup.library.functions, curl: curl)
        self.round = round
        bodies = setup.bodies
        streamedRead = setup.streamedRead
        versions = setup.configuration.versions
        trust = setup.configuration.tls.trust
        identities = setup.configuration.tls.clientIdentities
        asksBeforeRequests = setup.library.version >= .asksBeforeRequests
        errorText = .allocate(capacity: CURL_ERROR_SIZE.code)
        errorText.initialize(repeating: 0, count: CURL_ERROR_SIZE.code)
        setCallbacks()
        setup.apply(to: options)
        lastingFault = options.takeFault()
    }

    deinit {
        options.functions.pointee.easy_cleanup(curl)
        lines.deallocate()
        errorText.deallocate()
    }

    /// libcurl's text about the last failure.
    var words: String { String(cString: errorText) }

    // MARK: For each transfer

    /// Sets the options of `request`.
    func prepare(_ request: HTTPRequest, url: String, upload: Upload?, route: Route) {
        errorText.pointee = 0
        head.reset(limit: request.context.limits.headBytes, fieldLimit: request.context.limits.fieldCount)
        tunnelHead.reset(limit: request.context.limits.headBytes, fieldLimit: request.context.limits.fieldCount)
        options.set(CURLOPT_URL, string: url)
        let isSecure = request.checkedOrigin?.isSecure ?? (request.url.scheme?.lowercased() == "https")
        waitForSharing(isSecure: isSecure)
        take(route)
        readTunnel(isSecure && route.proxy?.url.scheme?.hasPrefix("http") == true)
        guardAddresses(route.isGuarded)
        setMethod(request.method, upload: upload)
        setReadLength(isStreamed: request.context.delivery == .streamed)
        let patience = request.context.expectContinue
        let traits = lines.write(request.headers, hasBody: upload != nil, expectsContinue: patience != nil && upload?.length != 0)
        options.set(CURLOPT_EXPECT_100_TIMEOUT_MS, (patience ?? .seconds(1)).wholeMilliseconds)
        options.set(CURLOPT_HTTPHEADER, pointer: lines.list())
        isDecoding = !traits.contains(.wantsRawBody)
        // Old versions cannot check the address of a kept-alive connection, only that of a new one.
        let isUnseen = isGuarded && !asksBeforeRequests
        needsNewConnection = isUnseen || !request.isIdempotent && !(upload?.isAskedForAgain ?? false)
        if isForbiddenReuse {
            isForbiddenReuse = false
            options.set(CURLOPT_FORBID_REUSE, 0)
        }
        fault = lastingFault ?? options.takeFault()
    }

    /// Sets which connections the request may use. Called when the request starts.
    func limitReuse(to allowed: ConnectionReuse) {
        let wanted = needsNewConnection ? .never : allowed
        guard wanted != reuse else { return }
        reuse = wanted
        switch wanted {
        case .never: options.set(CURLOPT_FRESH_CONNECT, 1)
        case .idle(let seconds):
            options.set(CURLOPT_FRESH_CONNECT, 0)
            options.set(CURLOPT_MAXAGE_CONN, seconds)
        }
        fault = fault ?? options.takeFault()
    }

    /// Sets whether to wait for a pending connection that may turn out to be shared (HTTP/2) instead of opening another.
    ///
    /// Only over TLS, where the handshake settles that. Without TLS libcurl would know only after the first response, and would delay all
    /// requests to the origin until then.
    private func waitForSharing(isSecure: Bool) {
        let waits = versions == .automatic && isSecure
        guard waits != waitsForSharing else { return }
        waitsForSharing = waits
        options.offer(CURLOPT_PIPEWAIT, waits ? 1 : 0)
    }

    private func setReadLength(isStreamed wanted: Bool) {
        guard wanted != isStreamed else { return }
        isStreamed = wanted
        options.offer(CURLOPT_BUFFERSIZE, wanted ? streamedRead : HandleSetup.collectedRead)
    }

    private func setMethod(_ wanted: HTTPMethod, upload: Upload?) {
        if let upload {
            if !hasUpload { options.set(CURLOPT_UPLOAD, 1) }
            options.set(CURLOPT_INFILESIZE_LARGE, offset: upload.length ?? -1)
            hasUpload = true
            isHead = false
        } else if hasUpload || isHead {
            options.set(CURLOPT_UPLOAD, 0)
            options.set(CURLOPT_HTTPGET, 1)
            hasUpload = false
            isHead = false
        }
        let wantsHead = wanted == .head && upload == nil
        if wantsHead {
            options.set(CURLOPT_NOBODY, 1)
            isHead = true
        }
        let name = wantsHead || wanted == .get && upload == nil ? "" : wanted.rawValue
        guard name != method else { return }
        method = name
        options.set(CURLOPT_CUSTOMREQUEST, string: name.isEmpty ? nil : name)
    }

    private func take(_ wanted: Route) {
        guard wanted != route else { return }
        if wanted.proxy != route.proxy { use(wanted.proxy) }
        if wanted.pins != route.pins { options.set(CURLOPT_PINNEDPUBLICKEY, string: wanted.pins) }
        if wanted.identity != route.identity { options.set(wanted.identity.map { identities[$0].certificate }) }
        if wanted.resolve != route.resolve { setAddresses(wanted.resolve.map { [$0] } ?? []) }
        route = wanted
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
    func give(addresses: [String]) {
        guard !addresses.isEmpty else { return }
        setAddresses((route.resolve.map { [$0] } ?? []) + addresses)
        fault = fault ?? options.takeFault()
    }

    private func setAddresses(_ lines: [String]) {
        let list = lines.isEmpty ? nil : AddressList(lines)
        options.set(CURLOPT_RESOLVE, pointer: list?.pointer)
        addresses = list
    }

    /// Whether the current lines belong to the proxy's response to `CONNECT`: the request itself has not been sent yet.
    var isOpeningTunnel: Bool { readsTunnel && options.moment(CURLINFO_PRETRANSFER_TIME_T) == nil }

    /// Counts a byte of the body with which a proxy refuses a tunnel. Returns false if the round's budget is used up.
    func mayReadRefusal() -> Bool { !isOpeningTunnel || !tunnelHead.isComplete || round.refusals.take() }

    /// Returns the proxy's challenge if it refused the tunnel with one.
    func takeChallenge() -> ProxyChallenge? { readsTunnel && !head.isComplete ? ProxyChallenge(&tunnelHead) : nil }

    private func readTunnel(_ wanted: Bool) {
        guard wanted != readsTunnel else { return }
        readsTunnel = wanted
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, wanted ? 0 : 1)
        options.set(CURLOPT_NOPROGRESS, wanted ? 0 : 1)
    }

    /// Sets whether the address of a kept-alive connection is checked before use. The address of a new one is always checked when its
    /// socket is opened.
    private func guardAddresses(_ wanted: Bool) {
        guard wanted != isGuarded else { return }
        isGuarded = wanted
        if asksBeforeRequests { options.set(CURLOPT_PREREQFUNCTION, callback: wanted ? CurlCallbacks.mayBeUsed : nil) }
    }

    private func use(_ proxy: Proxy?) {
        options.set(CURLOPT_PROXY, string: proxy?.url.absoluteString ?? "")
        options.set(CURLOPT_NOPROXY, string: proxy == nil ? "*" : "")
        options.set(CURLOPT_PROXYUSERNAME, string: proxy?.username)
        options.set(CURLOPT_PROXYPASSWORD, string: proxy?.password)
    }

    // MARK: Afterwards

    /// Records the durations of the phases so far, the remote address, and whether the connection was reused.
    func record(queued: Duration?, lookup: Duration?, hasEnded: Bool, in metadata: inout ResponseMetadata) {
        var timings = ResponseMetadata.Timings(queued: queued)
        let isReused = options.number(CURLINFO_NUM_CONNECTS) == 0
        if !isReused {
            let looked = options.moment(CURLINFO_NAMELOOKUP_TIME_T)
            let connected = options.moment(CURLINFO_CONNECT_TIME_T)
            timings.nameLookup = lookup ?? looked
            timings.connect = connected.map { $0 - (looked ?? .zero) }
            timings.tls = options.moment(CURLINFO_APPCONNECT_TIME_T).map { $0 - (connected ?? .zero) }
        }
        timings.firstByte = options.moment(CURLINFO_STARTTRANSFER_TIME_T)
        if hasEnded { timings.total = options.moment(CURLINFO_TOTAL_TIME_T) }
        let address = options.text(CURLINFO_PRIMARY_IP)
        metadata.record(timings, remoteAddress: address?.isEmpty == true ? nil : address, isConnectionReused: isReused)
    }

    // MARK: Once

    private func setCallbacks() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        options.set(CURLOPT_PRIVATE, pointer: me)
        options.set(CURLOPT_WRITEDATA, pointer: me)
        options.set(CURLOPT_HEADERDATA, pointer: me)
        options.set(CURLOPT_READDATA, pointer: me)
        options.set(CURLOPT_SEEKDATA, pointer: me)
        options.set(CURLOPT_OPENSOCKETDATA, pointer: me)
        options.set(CURLOPT_XFERINFODATA, pointer: me)
        if asksBeforeRequests { options.set(CURLOPT_PREREQDATA, pointer: me) }
        options.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        options.set(CURLOPT_WRITEFUNCTION, callback: CurlCallbacks.receiveBody)
        options.set(CURLOPT_HEADERFUNCTION, callback: CurlCallbacks.receiveHeader)
        options.set(CURLOPT_READFUNCTION, callback: CurlCallbacks.sendBody)
        options.set(CURLOPT_SEEKFUNCTION, callback: CurlCallbacks.rewindBody)
        options.set(CURLOPT_OPENSOCKETFUNCTION, callback: CurlCallbacks.openSocket)
        options.set(CURLOPT_XFERINFOFUNCTION, callback: CurlCallbacks.advance)
    }
}
