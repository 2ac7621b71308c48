internal import MartletAuth

/// What an `OSStatus` of the keychain means.
enum KeychainStatus: Hashable {
    case success
    case notFound
    case duplicate
    case failure(TokenStoreError)

    /// - Parameters:
    ///   - code: the `OSStatus`.
    ///   - words: the system's words for it, asked for when they are needed.
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

/// How a token is kept, step by step: it is added, or the one that is there is changed, whatever others do to it meanwhile.
enum KeychainSaving: Hashable {
    case add(triesLeft: Int)
    case change(triesLeft: Int)
    case done
    case failed(TokenStoreError)

    static let start = KeychainSaving.add(triesLeft: 3)

    /// What to do after a step had `status`.
    func next(after status: KeychainStatus) -> KeychainSaving {
        switch (self, status) {
        case (_, .success): .done
        case (_, .failure(let error)): .failed(error)
        case (.add(let tries), .duplicate): .change(triesLeft: tries)
        // Forgotten by somebody between the two: it is added again, but not for ever.
        case (.change(let tries), .notFound): tries > 1 ? .add(triesLeft: tries - 1) : Self.contended
        default: .failed(.failed(code: 0, "the keychain gave an answer that does not fit"))
        }
    }

    private static let contended = KeychainSaving.failed(
        .failed(code: -25299, "the item was added and forgotten by others each time it was to be kept"))
}
