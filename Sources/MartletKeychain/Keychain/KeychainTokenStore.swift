#if APPLE_STUBS || canImport(Security)
internal import MartletSystem
internal import MartletEssentials
public import MartletAuth

/// A token in the Keychain, on Apple's platforms: a generic password, found by its service and account.
///
/// ```swift
/// let store = KeychainTokenStore(service: "com.example.app", account: "ada")
/// ```
///
/// Two stores with the same service, account, access group and synchronisation are one. By default the token is given away from the first
/// unlocking of the device after a start on, so that requests in the background find it, and never leaves the device.
///
/// - Before the first unlocking, or while the device is locked if so chosen, each call throws `TokenStoreError` of the kind `.locked`: that is not the
///   answer that there is no token. A program without the entitlement throws `.missingEntitlement`.
/// - The calls block a lane of their own, never the threads that tasks run on. They have no timeout.
/// - What can't be read, as `.corrupt` or of a later version, is left as it is; `save` replaces it, `clear` forgets it.
/// - The Keychain does not report changes by other apps of the group, by extensions or by the user's other devices, so a provider reads the
///   store for each request. If only this app changes the token, wrap the store in a `SingleWriterTokenStore`.
/// - An app's items stay in the Keychain when the app is deleted from the device, and are there when it is installed again.
///
/// It throws `TokenStoreError`. What is known of it: it is type-checked for Apple's platforms, and its logic is tested on Linux against
/// an emulation of the Keychain, which shows nothing about the real one.
public struct KeychainTokenStore: TokenStore {
    private static let lane = Lane("martlet.keychain")

    private let item: KeychainItem
    private let keychain = KeychainService()

    /// A store of one token.
    ///
    /// - Parameters:
    ///   - service: what the token is for: the app's identifier, in reverse DNS notation.
    ///   - account: whose token it is.
    ///   - accessGroup: the group of apps that share it, as the entitlements name it. Default: the app's own.
    ///   - accessibility: when the system gives it away. Default: from the first unlocking on, on this device alone.
    ///   - isSynchronized: whether iCloud brings it to the user's other devices. Default: false. It needs an `accessibility` that is not of
    ///     this device only: otherwise each call throws `.unusable`.
    ///   - usesDataProtectionKeychain: on macOS, whether it rests in the keychain that iOS has too, which needs an entitlement, or in the
    ///     file that command-line tools can use. Default: true. Elsewhere there is only the former.
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
                guard let bytes else { throw .corrupt("an item without a value") }
                return try StoredToken.decode(bytes)
            case .notFound: return nil
            case .failure(let error): throw error
            case .duplicate: throw .failed(code: -25299, "a lookup found a duplicate")
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
