internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP

/// The options of one easy handle and the information about it, by the types of the values.
///
/// If libcurl rejects an option (because its TLS library does not support it, or memory is exhausted), the failure is kept: a request must
/// fail rather than be sent without its pins, its trusted certificates or its proxy.
final class EasyOptions {
    let functions: UnsafePointer<ccurl_functions>
    @exclusivity(unchecked) private(set) var curl: UnsafeMutableRawPointer
    private var refused: (option: Int32, code: Int32)?

    init(functions: UnsafePointer<ccurl_functions>, curl: UnsafeMutableRawPointer) {
        self.functions = functions
        self.curl = curl
    }

    /// Frees the handle and creates another. Returns false, and keeps the old one, if memory is exhausted.
    func renew() -> Bool {
        guard let fresh = functions.pointee.easy_init() else { return false }
        functions.pointee.easy_cleanup(curl)
        curl = fresh
        return true
    }

    /// Returns the error of the first option that libcurl rejected since the last call, or nil.
    func takeFault() -> HTTPError? {
        guard let (option, code) = refused.take() else { return nil }
        let words = functions.pointee.easy_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return .engineUnavailable(Explanation("the installed libcurl rejects option \(option): \(words)"))
    }

    // MARK: Optional settings, ignored by a libcurl that does not know them

    func offer(_ option: some FixedWidthInteger, _ value: Int) { _ = ccurl_set_long(functions, curl, Int32(option), value) }

    func offer(_ option: some FixedWidthInteger, string: String?) { _ = setString(Int32(option), string) }

    func offer(_ option: some FixedWidthInteger, bytes: LastingBytes) {
        _ = ccurl_lend_bytes(functions, curl, Int32(option), bytes.start, bytes.count)
    }

    // MARK: Required settings

    func set(_ option: some FixedWidthInteger, _ value: Int) {
        note(ccurl_set_long(functions, curl, Int32(option), value), Int32(option))
    }

    /// libcurl keeps a copy.
    func set(_ option: some FixedWidthInteger, string: String?) { note(setString(Int32(option), string), Int32(option)) }

    /// libcurl keeps a copy.
    func set(_ option: some FixedWidthInteger, bytes: Data) {
        note(bytes.withUnsafeBytes { ccurl_set_bytes(functions, curl, Int32(option), $0.baseAddress, $0.count) }, Int32(option))
    }

    /// Sets the body of the next request. libcurl keeps a copy until the next body or nil.
    func set(body: Data?) {
        set(CURLOPT_POSTFIELDSIZE_LARGE, offset: body.map { Int64($0.count) } ?? -1)
        guard let body else { return set(CURLOPT_COPYPOSTFIELDS, pointer: nil) }
        body.withUnsafeBytes { set(CURLOPT_COPYPOSTFIELDS, pointer: UnsafeMutableRawPointer(mutating: $0.baseAddress)) }
    }

    /// libcurl keeps no copy: the bytes must outlive the handle.
    func set(_ option: some FixedWidthInteger, bytes: LastingBytes) {
        note(ccurl_lend_bytes(functions, curl, Int32(option), bytes.start, bytes.count), Int32(option))
    }

    func set(_ option: some FixedWidthInteger, offset: Int64) {
        note(ccurl_set_offset(functions, curl, Int32(option), offset), Int32(option))
    }

    func set(_ option: some FixedWidthInteger, pointer: UnsafeMutableRawPointer?) {
        note(ccurl_set_pointer(functions, curl, Int32(option), pointer), Int32(option))
    }

    /// Sets a callback of one of the `ccurl_…_callback` types. Nil removes it.
    func set<Callback>(_ option: some FixedWidthInteger, callback: Callback?) {
        set(option, pointer: unsafeBitCast(callback, to: UnsafeMutableRawPointer?.self))
    }

    private func setString(_ option: Int32, _ string: String?) -> Int32 {
        guard let string else { return ccurl_set_string(functions, curl, option, nil) }
        return string.withCString { ccurl_set_string(functions, curl, option, $0) }
    }

    private func note(_ code: Int32, _ option: Int32) {
        if code != CURLE_OK.code, refused == nil { refused = (option, code) }
    }

    // MARK: Information

    func number(_ info: some FixedWidthInteger) -> Int { ccurl_get_long(functions, curl, Int32(info)) }

    func offset(_ info: some FixedWidthInteger) -> Int64 { ccurl_get_offset(functions, curl, Int32(info)) }

    /// Whether OpenSSL has taken bytes from the transfer's connection that libcurl has not read. False without OpenSSL.
    ///
    /// OpenSSL takes more than one record at a time from the socket with libcurl 8.15 and later.
    var hasUndeliveredTLSBytes: Bool { ccurl_has_undelivered(functions, curl) }

    func text(_ info: some FixedWidthInteger) -> String? {
        guard let text = ccurl_get_pointer(functions, curl, Int32(info)) else { return nil }
        return String(cString: text.assumingMemoryBound(to: CChar.self))
    }

    /// The time since the start of the transfer; nil if the event has not happened, or does not happen in this transfer.
    func moment(_ info: some FixedWidthInteger) -> Duration? {
        let microseconds = offset(info)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    // MARK: The client's certificate

    /// Offers `certificate` to a server that requests one. Nil offers none.
    ///
    /// libcurl shares a kept-alive connection or TLS session only between transfers with the same certificate. In one transport a host
    /// always has the same identity or none, so all connections to it are of one kind.
    func set(_ certificate: ClientCertificate?) {
        switch certificate {
        case .pem(let certificates, let key, let password):
            setIdentity(type: "PEM", certificates, key: key, password: password)
        case .pkcs12(let archive, let password):
            setIdentity(type: "P12", archive, key: nil, password: password)
        default:
            setIdentity(type: nil, nil, key: nil, password: nil)
        }
    }

    private func setIdentity(type: String?, _ certificate: Data?, key: Data?, password: String?) {
        set(CURLOPT_SSLCERTTYPE, string: type)
        setBytes(CURLOPT_SSLCERT_BLOB, certificate)
        set(CURLOPT_SSLKEYTYPE, string: key == nil ? nil : type)
        setBytes(CURLOPT_SSLKEY_BLOB, key)
        set(CURLOPT_KEYPASSWD, string: password)
    }

    private func setBytes(_ option: some FixedWidthInteger, _ bytes: Data?) {
        if let bytes { set(option, bytes: bytes) } else { set(option, pointer: nil) }
    }
}
