internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// What is answered to a challenge of the connection.
enum ChallengeDisposition {
    /// As the system would.
    case system
    case use(URLCredential)
    case refuse(HTTPError)
    /// The server's answer, with its request for credentials, is given to the caller.
    case giveBack
}

#if !canImport(Security)
/// FoundationNetworking asks about HTTP's authentication only.
struct TrustPolicy: Sendable {
    /// Throws `.engineUnavailable` for settings other than the default ones: FoundationNetworking knows none of them.
    init(_ settings: TLSSettings) throws(HTTPError) {
        guard settings == TLSSettings() else {
            throw .engineUnavailable("URLSession on Linux has no settings of TLS (certificates, pinned keys, versions): use CurlTransport")
        }
    }

    func configure(_ configuration: URLSessionConfiguration) {}

    func answer(to challenge: URLAuthenticationChallenge) -> ChallengeDisposition { .giveBack }
}
#endif
