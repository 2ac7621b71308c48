internal import MartletAuth
internal import MartletEssentials

/// The form in which a token rests: JSON that says which version of it it is.
///
/// What can't be read is never taken for less than it is: it is an error, and it stays where it is.
struct StoredToken: Codable {
    /// The version that is written. Members may be added to it; what an older reader would misread needs the next one.
    static let currentVersion = 1

    let version: Int
    let token: AccessToken

    private struct Header: Decodable {
        let version: Int
    }

    /// The bytes to keep. They are the secret itself.
    static func encode(_ token: AccessToken) throws(TokenStoreError) -> Data {
        var encoder = JSONBodyEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return try encoder.encode(StoredToken(version: currentVersion, token: token)) } catch {
            // The encoder's own words may quote what it was given.
            throw .unusable("the token can't be written as JSON: a date of it is no number")
        }
    }

    /// The token that was kept.
    static func decode(_ data: Data) throws(TokenStoreError) -> AccessToken {
        let decoder = JSONBodyDecoder()
        guard let header = try? decoder.decode(Header.self, from: data) else {
            throw .corrupt("\(data.count) bytes that are no token written by Martlet")
        }
        guard header.version == currentVersion else { throw .unknownVersion(header.version) }
        // The decoder's own words may quote what it read.
        guard let stored = try? decoder.decode(StoredToken.self, from: data) else {
            throw .corrupt("\(data.count) bytes of version \(header.version) whose token can't be read")
        }
        return stored.token
    }
}
