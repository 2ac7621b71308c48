#if APPLE_STUBS || canImport(Security)
internal import MartletSystem
internal import MartletEssentials
public import MartletAuth

/// A token store in the Keychain of Apple platforms. The token is a generic password, identified by its service and account.
///
/// ```swift
/// let store = KeychainTokenStore(service: "com.example.app", account: "ada")
/// ```
///
/// Stores with the same service, account, access group and synchronisation share one token. By default the token is accessible after the
/// device was first unlocked since its start, so that background requests can use it, and never leaves the device.
///
/// - Before the first unlock, or while the device is locked if the accessibility requires that, each call throws a `TokenStoreError` of the
///   kind `.locked`. It never reports a missing token in that state. A program without the entitlement gets `.missingEntitlement`.
/// - The calls block a separate thread, never a thread of the task pool. They have no timeout.
/// - A token that cannot be read (`.corrupt`, or a later version) stays in the store. `save` replaces it, and `clear` removes it.
/// - The Keychain does not report changes by other apps of the access group, by extensions or by the user's other devices, so a provider
///   reads the store for each request. If only this app changes the token, wrap the store in a `SingleWriterTokenStore`.
/// - The Keychain keeps an app's items when the app is deleted from the device, and the app finds them when it is installed again.
///
/// The calls throw `TokenStoreError`. This store is type-checked for Apple platforms, and its logic is tested on Linux against an emulation
/// of the Keychain. It has not been tested against a real Keychain.
public struct KeychainTokenStore: TokenStore {
    private static let lane = Lane("martlet.keychain")

    private let item: KeychainItem
    private let keychain = KeychainService()

    /// Creates a store of the token for a service and an account, without opening anything yet.
    ///
    /// - Parameters:
    ///   - service: The purpose of the token: the app's identifier in reverse DNS notation.
    ///   - account: The user whose token it is.
    ///   - accessGroup: The group of apps that share the token, as named in the entitlements. Default: the app's own.
    ///   - accessibility: The condition for access. Default: after the first unlock, on this device only.
    ///   - isSynchronized: Whether iCloud synchronises the token with the user's other devices. Default: false. It needs an `accessibility`
    ///     that is not restricted to this device; otherwise each call throws `.unusable`.
    ///   - usesDataProtectionKeychain: On macOS, whether the token is in the data protection keychain, which needs an entitlement, or in
    ///     the file-based keychain, which command-line tools can use. Default: true. Other platforms have only the data protection
    ///     keychain.
    public init(
        service: String, account: String, accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly, isSynchronized: Bool = false,
        usesDataProtectionKeychain: Bool = true
    ) {
        item = KeychainItem(
            service: service, account: account, accessGroup: accessGroup, accessibility: accessibility, isSynchronized: isSynchronized,
            isInDataProtectionKeychain: usesDataProtectionKeychain)
    }

    /// Returns the stored token, or nil if there is none.
    public func load() async throws(TokenStoreError) -> AccessToken? {
        try await perform(.load) { () throws(TokenStoreError) -> AccessToken? in
            let (status, bytes) = keychain.copy(item.lookup)
            switch status {
            case .success:
                guard let bytes else { throw .corrupt("the keychain item has no value") }
                return try StoredToken.decode(bytes)
            case .notFound: return nil
            case .failure(let error): throw error
            case .duplicate: throw .failed(code: -25299, "the keychain reported a duplicate for a lookup")
            }
        }
    }

    /// Stores a token and replaces the previous one.
    public func save(_ token: AccessToken) async throws(TokenStoreError) {
        let bytes: Data
        do { bytes = try StoredToken.encode(token) } catch { throw error.during(.save) }
        try await perform(.save) { () throws(TokenStoreError) in
            var step = KeychainSaving.start
            while true {
                switch step {
                case .add: step = step.next(after: keychain.add(item.addition(of: bytes)))
                case .change: step = step.next(after: keychain.update(item.identity, to: item.change(to: bytes)))
                case .done: return
                case .failed(let error): throw error
                }
            }
        }
    }

    /// Removes the token, if there is one.
    public func clear() async throws(TokenStoreError) {
        try await perform(.clear) { () throws(TokenStoreError) in
            if case .failure(let error) = keychain.delete(item.identity) { throw error }
        }
    }

    private func perform<Value: Sendable>(
        _ operation: TokenStoreError.Operation, _ work: @escaping @Sendable () throws(TokenStoreError) -> Value
    ) async throws(TokenStoreError) -> Value {
        do throws(TokenStoreError) {
            try item.check()
            return try await Self.lane.begin(refused: TokenStoreError.init(refusal:), work).value()
        } catch { throw error.during(operation) }
    }
}
#endif
