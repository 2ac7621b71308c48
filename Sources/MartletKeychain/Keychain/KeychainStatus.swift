internal import MartletAuth

/// The meaning of a keychain function's `OSStatus`.
enum KeychainStatus: Hashable {
    case success
    case notFound
    case duplicate
    case failure(TokenStoreError)

    /// - Parameters:
    ///   - code: the `OSStatus`.
    ///   - words: returns the system's text for a code. Called only when needed.
    init(_ code: Int32, words: (Int32) -> String) {
        switch code {
        case 0: self = .success
        case -25300: self = .notFound  // errSecItemNotFound
        case -25299: self = .duplicate  // errSecDuplicateItem
        case -25308: self = .failure(.locked)  // errSecInteractionNotAllowed
        case -34018: self = .failure(.missingEntitlement)  // errSecMissingEntitlement
        case -128, -25293: self = .failure(.refused(words(code)))  // errSecUserCanceled, errSecAuthFailed
        case -26275: self = .failure(.corrupt("the keychain could not decode it"))  // errSecDecode
        default: self = .failure(.failed(code: Int(code), words(code)))
        }
    }
}

/// The steps of saving a token: the item is added, or changed if it exists, whatever other programs do meanwhile.
enum KeychainSaving: Hashable {
    case add(triesLeft: Int)
    case change(triesLeft: Int)
    case done
    case failed(TokenStoreError)

    static let start = KeychainSaving.add(triesLeft: 3)

    /// Returns the step after one that had `status`.
    func next(after status: KeychainStatus) -> KeychainSaving {
        switch (self, status) {
        case (_, .success): .done
        case (_, .failure(let error)): .failed(error)
        case (.add(let tries), .duplicate): .change(triesLeft: tries)
        // Deleted by another program between the two steps. It is added again, a limited number of times.
        case (.change(let tries), .notFound): tries > 1 ? .add(triesLeft: tries - 1) : Self.contended
        default: .failed(.failed(code: 0, "the keychain returned an unexpected status"))
        }
    }

    private static let contended = KeychainSaving.failed(
        .failed(code: -25299, "other programs added and deleted the item during each attempt to save it"))
}
