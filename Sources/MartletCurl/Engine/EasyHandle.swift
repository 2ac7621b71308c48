internal import CMartletCurl
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

    /// The options that are set on libcurl's handle, and must be set again on a new one.
    struct Applied {
        var route = Route()
        var method = ""
        var isHead = false
        var hasUpload = false
        var readsUploads = false
        /// The kept-alive connections that the last request may use.
        var reuse: ConnectionReuse?
        var isForbiddenReuse = false
        /// Whether the body of the last request was streamed, or nil before the first request.
        var isStreamed: Bool?
        var isSecured = false
        var isProxySecured = false
        var asksBeforeRequests = false
        var readsTunnel = false
        var expectsHTTP2 = false
    }

    let options: EasyOptions
    let setup: HandleSetup
    /// Collects the callbacks' work for the end of the round of the engine that runs the transfer.
    @exclusivity(unchecked) var round: EngineRound
    @exclusivity(unchecked) var transfer: CurlTransfer?
    @exclusivity(unchecked) var head = ResponseHead()
    /// The head of the proxy's response to `CONNECT`, parsed separately from the response to the request.
    @exclusivity(unchecked) var tunnelHead = ResponseHead()
    /// Whether the response to the last request is decoded.
    var isDecoding = true
    /// The error that the last request must fail with, because an option could not be set.
    @exclusivity(unchecked) var fault: HTTPError?

    @exclusivity(unchecked) var applied = Applied()
    /// Whether libcurl's handle must not run another transfer.
    @exclusivity(unchecked) var isSpent = false
    @exclusivity(unchecked) var lines = RequestFieldList(acceptEncoding: ContentCoding.acceptLine)
    var addresses: AddressList?
    let errorText: UnsafeMutablePointer<CChar>
    /// Whether the last request must use a new connection, whatever the age of the kept-alive ones.
    var needsNewConnection = false

    var curl: UnsafeMutableRawPointer { options.curl }
    /// The memory for the bodies of responses.
    var bodies: BodyPool { setup.bodies }
    /// The maximum number of bytes of a network read for a streamed body.
    var streamedRead: Int { setup.streamedRead }
    /// The certificates to trust.
    var trust: TLSSettings.Trust { setup.configuration.tls.trust }
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

    /// Records what libcurl's debug text tells about a transfer.
    func note(_ notice: DebugNotice, about transfer: CurlTransfer) {
        switch notice {
        case .connection(let number): transfer.sending.delivery.uses(connection: number)
        case .stream(let id): transfer.sending.delivery.uses(stream: id, on: connection(of: transfer))
        case .goAway(let lastStream):
            if let connection = connection(of: transfer) { round.retired.retire(connection, lastStream: lastStream) }
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

    /// The context of callbacks.
    var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func setCallbacks() {
        options.set(CURLOPT_PRIVATE, pointer: me)
        options.set(CURLOPT_WRITEDATA, pointer: me)
        options.set(CURLOPT_HEADERDATA, pointer: me)
        options.set(CURLOPT_OPENSOCKETDATA, pointer: me)
        options.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        options.set(CURLOPT_WRITEFUNCTION, callback: CurlCallbacks.receiveBody)
        options.set(CURLOPT_HEADERFUNCTION, callback: CurlCallbacks.receiveHeader)
        options.set(CURLOPT_OPENSOCKETFUNCTION, callback: CurlCallbacks.openSocket)
    }
}
