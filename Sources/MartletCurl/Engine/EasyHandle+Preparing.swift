internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP

// The options of one transfer. An option is set only if it differs from the last transfer's.
extension EasyHandle {
    /// Sets the options of a request.
    func prepare(_ outgoing: OutgoingRequest, upload: Upload?) {
        let request = outgoing.request, route = outgoing.route
        fault = nil
        if isSpent { renew() }
        errorText.pointee = 0
        head.reset(limit: request.context.limits.headBytes, fieldLimit: request.context.limits.fieldCount)
        tunnelHead.reset(limit: request.context.limits.headBytes, fieldLimit: request.context.limits.fieldCount)
        options.set(CURLOPT_URL, string: outgoing.url)
        secure(request.checkedOrigin?.isSecure ?? (request.url.scheme?.lowercased() == "https"), route)
        take(route)
        setMethod(request.method, upload: upload)
        setReadLength(isStreamed: request.context.delivery == .streamed)
        let patience = request.context.expectContinue
        let traits = lines.write(request.headers, hasBody: upload != nil, expectsContinue: patience != nil && upload?.length != 0)
        options.set(CURLOPT_EXPECT_100_TIMEOUT_MS, (patience ?? .seconds(1)).wholeMilliseconds)
        options.set(CURLOPT_HTTPHEADER, pointer: lines.list())
        isDecoding = !traits.contains(.wantsRawBody)
        // Old versions cannot check the address of a kept-alive connection, or stop a second delivery of a request without a body.
        let canAsk = setup.library.version >= .asksBeforeRequests
        needsNewConnection = route.isGuarded && !canAsk || !request.isIdempotent && !(upload?.isAskedForAgain ?? false)
        if canAsk { askBeforeRequests(route.isGuarded || !request.isIdempotent) }
        if applied.isForbiddenReuse {
            applied.isForbiddenReuse = false
            options.set(CURLOPT_FORBID_REUSE, 0)
        }
        fault = options.takeFault() ?? fault
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

    private func secure(_ isSecure: Bool, _ route: Route) {
        if isSecure, !applied.isSecured {
            applied.isSecured = true
            setup.secure(options)
        }
        if route.proxy?.url.scheme == "https", !applied.isProxySecured {
            applied.isProxySecured = true
            setup.secureProxy(options)
        }
        expectHTTP2(isSecure && setup.configuration.allowsHTTP2)
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
        options.offer(CURLOPT_BUFFERSIZE, wanted ? streamedRead : HandleSetup.collectedRead)
    }

    private func setMethod(_ wanted: HTTPMethod, upload: Upload?) {
        if let upload {
            setUploadCallbacks()
            if !applied.hasUpload { options.set(CURLOPT_UPLOAD, 1) }
            options.set(CURLOPT_INFILESIZE_LARGE, offset: upload.length ?? -1)
            applied.hasUpload = true
            applied.isHead = false
        } else if applied.hasUpload || applied.isHead {
            options.set(CURLOPT_UPLOAD, 0)
            options.set(CURLOPT_HTTPGET, 1)
            applied.hasUpload = false
            applied.isHead = false
        }
        let wantsHead = wanted == .head && upload == nil
        if wantsHead {
            options.set(CURLOPT_NOBODY, 1)
            applied.isHead = true
        }
        let name = wantsHead || wanted == .get && upload == nil ? "" : wanted.rawValue
        guard name != applied.method else { return }
        applied.method = name
        options.set(CURLOPT_CUSTOMREQUEST, string: name.isEmpty ? nil : name)
    }

    private func take(_ wanted: Route) {
        guard wanted != applied.route else { return }
        if wanted.proxy != route.proxy { use(wanted.proxy) }
        if wanted.pins != route.pins { options.set(CURLOPT_PINNEDPUBLICKEY, string: wanted.pins) }
        if wanted.identity != route.identity {
            options.set(wanted.identity.map { setup.configuration.tls.clientIdentities[$0].certificate })
        }
        if wanted.resolve != route.resolve { setAddresses(wanted.resolve.map { [$0] } ?? []) }
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

    /// Sets whether libcurl asks before it sends the request, which it does for each attempt, also on a kept-alive connection. The address
    /// of a new connection is always checked when its socket is opened.
    private func askBeforeRequests(_ wanted: Bool) {
        guard wanted != applied.asksBeforeRequests else { return }
        applied.asksBeforeRequests = wanted
        options.set(CURLOPT_PREREQDATA, pointer: me)
        options.set(CURLOPT_PREREQFUNCTION, callback: wanted ? CurlCallbacks.mayBeSent : nil)
    }

    private func use(_ proxy: Proxy?) {
        options.set(CURLOPT_PROXY, string: proxy?.url.absoluteString)
        options.set(CURLOPT_NOPROXY, string: proxy == nil ? "*" : "")
        options.set(CURLOPT_PROXYAUTH, CURLAUTH_BASIC.code)
        options.set(CURLOPT_PROXYUSERNAME, string: proxy?.username)
        options.set(CURLOPT_PROXYPASSWORD, string: proxy?.password)
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
