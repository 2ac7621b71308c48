internal import MartletSystem

#if os(Linux)
internal import CMartletKeychain
internal import MartletEssentials
internal import MartletAuth

/// The functions of libsecret, loaded at run time.
struct SecretLibrary: SecretCalls, @unchecked Sendable {
    // Proof: the table is filled before this value is created, and is never changed or freed. libsecret's functions may be called from any
    // thread, and each call has its own cancellable.
    let functions: UnsafePointer<csecret_functions>

    private static let found = Locked<SecretLibrary?>(nil)

    /// Returns the library of this process, which is never unloaded. While it is missing, each call searches again, because it may be
    /// installed meanwhile.
    static func shared() throws(TokenStoreError) -> SecretLibrary {
        if let library = found.withLock({ $0 }) { return library }
        let library = try SecretLibrary(names: ["libsecret-1.so.0"], setting: "MARTLET_LIBSECRET")
        found.withLock { $0 = library }
        return library
    }

    /// Loads the first of the named libraries that can be used. `setting` is the environment variable that names another one.
    init(names: [String], setting: String? = nil) throws(TokenStoreError) {
        do throws(SystemLibrary.Unusable) {
            functions = try SystemLibrary.first("libsecret (0.19 or later)", names: names, setting: setting) {
                library throws(SystemLibrary.Unusable) in try library.table(csecret_functions(), fill: csecret_resolve)
            }
        } catch { throw .libraryMissing(error.description) }
    }

    func begin() throws(TokenStoreError) -> any SecretCall { LibraryCall(library: self) }
}

/// Loads this process's libsecret for each call.
struct SystemSecrets: SecretCalls {
    func begin() throws(TokenStoreError) -> any SecretCall { try SecretLibrary.shared().begin() }
}

private final class LibraryCall: SecretCall, @unchecked Sendable {
    // Proof: the pointer never changes, and is released in deinit. A GCancellable may be used from any thread.
    private let cancellable: UnsafeMutableRawPointer?
    private let library: SecretLibrary

    init(library: SecretLibrary) {
        self.library = library
        cancellable = library.functions.pointee.cancellable_new()
    }

    deinit { if let cancellable { library.functions.pointee.object_unref(cancellable) } }

    func within<Value>(_ work: () -> Value) -> Value {
        let context = csecret_begin(library.functions)
        defer { csecret_end(library.functions, context) }
        return work()
    }

    func connect() throws(TokenStoreError) {
        var failure = csecret_failure()
        guard csecret_connect(library.functions, cancellable, &failure) else { throw .noSessionBus(handled(failure).message) }
    }

    func cancel() { library.functions.pointee.cancellable_cancel(cancellable) }

    func lookup(_ key: SecretKey) throws(SecretFailure) -> Data? {
        var failure = csecret_failure(), hasFailed = false
        let value = key.withC { csecret_lookup(library.functions, $0, cancellable, &hasFailed, &failure) }
        if hasFailed { throw handled(failure) }
        guard let value else { return nil }
        // Freeing the value also erases it.
        defer { library.functions.pointee.value_unref(value) }
        var count = 0
        guard let bytes = library.functions.pointee.value_get(value, &count), count > 0 else { return Data() }
        return Data.erasing(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    func store(_ bytes: Data, for key: SecretKey) throws(SecretFailure) {
        var failure = csecret_failure()
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        defer {
            csecret_erase(text.baseAddress, text.count)
            text.deallocate()
        }
        text.copyBytes(from: bytes)
        text[bytes.count] = 0
        let isStored = key.withC { names in
            csecret_store(
                library.functions, names, key.label, text.baseAddress?.assumingMemoryBound(to: CChar.self), cancellable, &failure)
        }
        if !isStored { throw handled(failure) }
    }

    func clear(_ key: SecretKey) throws(SecretFailure) -> Bool {
        var failure = csecret_failure(), hasFailed = false
        let isCleared = key.withC { csecret_clear(library.functions, $0, cancellable, &hasFailed, &failure) }
        if hasFailed { throw handled(failure) }
        return isCleared
    }

    func keyring() throws(SecretFailure) -> KeyringState {
        var failure = csecret_failure()
        switch csecret_default_keyring(library.functions, cancellable, &failure) {
        case CSECRET_KEYRING_ABSENT: return .absent
        case CSECRET_KEYRING_LOCKED: return .locked
        case CSECRET_KEYRING_OPEN: return .open
        default: throw handled(failure)
        }
    }

    private func handled(_ failure: csecret_failure) -> SecretFailure {
        let failure = SecretFailure(failure)
        // The next call connects to the service again, because the service or the bus may have been restarted.
        if failure.mayEndConnection { library.functions.pointee.service_disconnect() }
        return failure
    }
}

extension SecretFailure {
    fileprivate init(_ failure: csecret_failure) {
        self.init(domain: Self.text(failure.domain), code: Int(failure.code), message: Self.text(failure.message))
    }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension SecretKey {
    fileprivate func withC<Result>(_ body: (csecret_key) -> Result) -> Result {
        service.withCString { service in account.withCString { body(csecret_key(service: service, account: $0)) } }
    }
}

extension Data {
    /// Returns a copy that is erased when it is released.
    fileprivate static func erasing(_ bytes: UnsafeRawBufferPointer) -> Data {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyMemory(from: bytes)
        let erase: @Sendable (UnsafeMutableRawPointer, Int) -> Void = { bytes, count in
            csecret_erase(bytes, count)
            bytes.deallocate()
        }
        guard let start = copy.baseAddress else { return Data() }
        return Data(bytesNoCopy: start, count: bytes.count, deallocator: .custom(erase))
    }
}
#endif
