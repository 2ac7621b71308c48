internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The response to a challenge of the connection.
enum ChallengeDisposition {
    /// The system's default handling.
    case system
    case use(URLCredential)
    case refuse(HTTPError)
    /// Declines the challenge. The server's response is passed on to the caller.
    case giveBack
}

#if !canImport(Security)
/// The decisions about challenges on Linux, where FoundationNetworking reports only HTTP authentication.
struct TrustPolicy: Sendable {
    /// Throws `.engineUnavailable` for any setting other than the default, because FoundationNetworking supports none.
    init(_ settings: TLSSettings) throws(HTTPError) {
        guard settings == TLSSettings() else {
            throw .engineUnavailable(
                "URLSession on Linux does not support TLS settings (certificates, pinned keys, versions): use CurlTransport")
        }
    }

    func configure(_ configuration: URLSessionConfiguration) {}

    func answer(to challenge: URLAuthenticationChallenge) -> ChallengeDisposition { .giveBack }
}
#endif
