internal import CMartletCurl
internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One of libcurl's easy handles, set up once and used for one transfer after the other.
///
/// What never changes is set when it is made; for each transfer only what differs from the one before. That is cheaper than
/// `curl_easy_reset`, after which some twenty options would have to be set, and their strings copied, anew.
final class EasyHandle: @unchecked Sendable {
    // Proof: it belongs to one owner at a time: the task that took it from the pool until it posts `.start`, then the engine's thread
    // until it puts it back. Both hand-overs go through a lock.

    let curl: UnsafeMutableRawPointer
    let functions: UnsafePointer<ccurl_functions>
    /// Where the callbacks leave work for the end of the engine's round.
    let round: EngineRound
    var transfer: Transfer?
    var head = ResponseHead()
    private(set) var isHead = false
    /// Whether the answer is decoded, as the last request wanted it.
    private(set) var isDecoding = true

    private var lines = RequestLines(acceptEncoding: ContentCoding.acceptLine)
    private let errorText: UnsafeMutablePointer<CChar>
    private var method = "GET"
    private var hasUpload = false
    private var isFresh = false
    private var mayShareConnections = false
    private var waitsForSharing = false

    init?(_ library: CurlLibrary, _ configuration: CurlTransport.Configuration, round: EngineRound) {
        guard let curl = library.functions.pointee.easy_init() else { return nil }
        self.curl = curl
        self.round = round
        functions = library.functions
        errorText = .allocate(capacity: CURL_ERROR_SIZE.code)
        errorText.initialize(repeating: 0, count: CURL_ERROR_SIZE.code)
        setCallbacks()
        setLimits(library)
        setConnection(configuration)
    }

    deinit {
        functions.pointee.easy_cleanup(curl)
        lines.deallocate()
        errorText.deallocate()
    }

    /// libcurl's words about the last failure.
    var words: String { String(cString: errorText) }

    // MARK: For each transfer

    /// Sets up what is particular to `request`.
    func prepare(_ request: HTTPRequest, url: String, upload: Upload?) {
        errorText.pointee = 0
        head.reset(limit: request.context.limits.headBytes)
        set(CURLOPT_URL, string: url)
        waitForSharing(of: request.url)
        setMethod(request.method, upload: upload)
        let traits = lines.write(request.headers, hasBody: upload != nil)
        set(CURLOPT_HTTPHEADER, pointer: lines.list())
        isDecoding = !traits.contains(.wantsRawBody)
        let needsFresh = !request.isIdempotent && !(upload?.isAskedForAgain ?? false)
        if needsFresh != isFresh {
            isFresh = needsFresh
            set(CURLOPT_FRESH_CONNECT, needsFresh ? 1 : 0)
        }
    }

    /// Whether to wait for a connection under way that may turn out to be shared (HTTP/2) rather than to open one more.
    ///
    /// Only over TLS, where that is known as soon as the handshake is done. Without TLS libcurl would know with the first answer, and
    /// hold up every other request to the origin until a slow one has its head.
    private func waitForSharing(of url: URL) {
        let waits = mayShareConnections && url.scheme?.lowercased() == "https"
        guard waits != waitsForSharing else { return }
        waitsForSharing = waits
        set(CURLOPT_PIPEWAIT, waits ? 1 : 0)
    }

    private func setMethod(_ wanted: HTTPMethod, upload: Upload?) {
        if let upload {
            if !hasUpload { set(CURLOPT_UPLOAD, 1) }
            _ = ccurl_set_offset(functions, curl, Int32(CURLOPT_INFILESIZE_LARGE.code), upload.length ?? -1)
            hasUpload = true
            isHead = false
        } else if hasUpload || isHead {
            set(CURLOPT_UPLOAD, 0)
            set(CURLOPT_HTTPGET, 1)
            hasUpload = false
            isHead = false
        }
        let wantsHead = wanted == .head && upload == nil
        if wantsHead {
            set(CURLOPT_NOBODY, 1)
            isHead = true
        }
        let name = wantsHead || wanted == .get && upload == nil ? "" : wanted.rawValue
        guard name != method else { return }
        method = name
        set(CURLOPT_CUSTOMREQUEST, string: name.isEmpty ? nil : name)
    }

    // MARK: Once

    private func setCallbacks() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        set(CURLOPT_PRIVATE, pointer: me)
        set(CURLOPT_WRITEDATA, pointer: me)
        set(CURLOPT_HEADERDATA, pointer: me)
        set(CURLOPT_READDATA, pointer: me)
        set(CURLOPT_SEEKDATA, pointer: me)
        set(CURLOPT_ERRORBUFFER, pointer: errorText)
        _ = ccurl_set_data_callback(functions, curl, Int32(CURLOPT_WRITEFUNCTION.code), CurlCallbacks.receiveBody)
        _ = ccurl_set_data_callback(functions, curl, Int32(CURLOPT_HEADERFUNCTION.code), CurlCallbacks.receiveHeader)
        _ = ccurl_set_data_callback(functions, curl, Int32(CURLOPT_READFUNCTION.code), CurlCallbacks.sendBody)
        _ = ccurl_set_seek_callback(functions, curl, Int32(CURLOPT_SEEKFUNCTION.code), CurlCallbacks.rewindBody)
    }

    /// What a transport never does, so that libcurl does not do it either: redirects, other protocols, signals, proxies from the
    /// environment, tidying paths.
    private func setLimits(_ library: CurlLibrary) {
        method = ""
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROXY, string: "")
        set(CURLOPT_NOPROXY, string: "*")
        if library.version >= .namesProtocols {
            set(CURLOPT_PROTOCOLS_STR, string: "http,https")
        } else {
            set(CURLOPT_PROTOCOLS, CURLPROTO_HTTP.asLong | CURLPROTO_HTTPS.asLong)
        }
        // Without it, a transfer that is cancelled while its name is looked up would hold up all others until the answer comes.
        if library.version >= .leavesLookups { set(CURLOPT_QUICK_EXIT, 1) }
    }

    private func setConnection(_ configuration: CurlTransport.Configuration) {
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        set(CURLOPT_HTTP_VERSION, configuration.versions == .http11 ? CURL_HTTP_VERSION_1_1.asLong : CURL_HTTP_VERSION_2TLS.asLong)
        mayShareConnections = configuration.versions != .http11
        set(CURLOPT_BUFFERSIZE, 64 * 1024)
        if let bundle = configuration.caFile ?? CertificateBundle.system {
            set(CURLOPT_CAINFO, string: bundle)
            // libcurl keeps the parsed certificates only when there is no directory of them to look through: 2 ms a handshake, not 25.
            set(CURLOPT_CAPATH, string: nil)
        }
    }

    private func set(_ option: some FixedWidthInteger, _ value: Int) { _ = ccurl_set_long(functions, curl, Int32(option), value) }

    private func set(_ option: some FixedWidthInteger, string: String?) {
        if let string {
            _ = string.withCString { ccurl_set_string(functions, curl, Int32(option), $0) }
        } else {
            _ = ccurl_set_string(functions, curl, Int32(option), nil)
        }
    }

    private func set(_ option: some FixedWidthInteger, pointer: UnsafeMutableRawPointer?) {
        _ = ccurl_set_pointer(functions, curl, Int32(option), pointer)
    }
}

extension Duration {
    /// In whole milliseconds, at least 1.
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
