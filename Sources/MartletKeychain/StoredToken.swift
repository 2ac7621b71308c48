internal import MartletAuth
internal import MartletEssentials
internal import MartletSystem

/// The stored form of a token: JSON with a version number.
///
/// Data that cannot be read is an error and stays in the store. It is never taken for a missing or partial token.
struct StoredToken: Codable {
    /// The version that is written. Members may be added to it. A change that an older reader would misread needs the next version.
    static let currentVersion = 1

    let version: Int
    let token: AccessToken

    private struct Header: Decodable {
        let version: Int
    }

    /// Returns the bytes to store. They contain the secret in plain text.
    static func encode(_ token: AccessToken) throws(TokenStoreError) -> Data {
        var encoder = JSONBodyEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return try encoder.encode(StoredToken(version: currentVersion, token: token)) } catch {
            // The encoder's error is not passed on, because it may quote the token.
            throw .unusable("the token can't be written as JSON: one of its dates is not a finite number")
        }
    }

    /// Returns the stored token.
    static func decode(_ data: Data) throws(TokenStoreError) -> AccessToken {
        let decoder = JSONBodyDecoder()
        guard let header = try? decoder.decode(Header.self, from: data) else {
            throw .corrupt("the \(data.count) bytes were not written by Martlet")
        }
        guard header.version == currentVersion else { throw .unknownVersion(header.version) }
        // The decoder's error is not passed on, because it may quote the token.
        guard let stored = try? decoder.decode(StoredToken.self, from: data) else {
            throw .corrupt("the token in the \(data.count) bytes of version \(header.version) can't be read")
        }
        return stored.token
    }
}

extension TokenStoreError {
    /// Creates the error of a call that the store's lane rejected.
    init(refusal: Lane.Refusal) {
        switch refusal {
        case .unresponsive: self = .unresponsive
        case .noThread: self = .failed(code: 0, "the thread for the call could not be started")
        }
    }
}
