import Foundation
import MartletHTTP
import Testing

@testable import MartletURLSession

@Suite("SessionFailure", .timeLimit(.minutes(5)))
struct SessionFailureTests {
    private enum Outcome { case tls, invalid, lost, proxy, challenge, unreachable, other }

    private func outcome(of error: HTTPError) -> Outcome? {
        switch error {
        case .invalidSSLCertificate: .tls
        case .invalidResponse: .invalid
        case .statusCode(let response): response.status == 407 ? .challenge : nil
        case .networkError(let failure):
            switch failure.kind {
            case .connectionLost: .lost
            case .proxyFailed: .proxy
            case .unreachable: .unreachable
            case .other: .other
            default: nil
            }
        default: nil
        }
    }

    @Test(
        "The meaning of FoundationNetworking's code -1 is derived from libcurl's text",
        arguments: [
            ("SSL peer certificate or SSH remote key was not OK", false, Outcome.tls),
            ("SSL certificate problem: self-signed certificate in certificate chain", false, .tls),
            ("OpenSSL/3.0.17: error:0A00010B:SSL routines::wrong version number", false, .tls),
            ("error setting certificate file: /x.pem", false, .tls), ("transfer closed with 5 bytes remaining to read", true, .lost),
            ("Transferred a partial file", true, .lost), ("transfer closed with outstanding read data remaining", true, .lost),
            ("Illegal or missing hexadecimal sequence in chunked-encoding", true, .invalid),
            ("Error while processing content unencoding: invalid code", true, .invalid), ("Weird server reply", false, .invalid),
            ("Failed writing header", false, .invalid), ("A libcurl function was given a bad argument", false, .invalid),
            ("Invalid Content-Length: value", false, .invalid), ("Nul byte in header", false, .invalid),
            ("Send failure: Broken pipe", false, .lost), ("Failed sending data to the peer", false, .lost),
            ("Recv failure: Connection reset by peer", true, .lost), ("Failure when receiving data from the peer", false, .lost),
            ("Received HTTP code 407 from proxy after CONNECT", false, .challenge),
            ("CONNECT tunnel failed, response 407", false, .challenge), ("CONNECT tunnel failed, response 502", false, .proxy),
            ("something new", false, .other),
            ("something new", true, .invalid),
        ] as [(String, Bool, Outcome)])
    private func unknown(text: String, headIsComplete: Bool, expected: Outcome) {
        let error = SessionFailure(code: -1, text: text, headIsComplete: headIsComplete).error
        #expect(outcome(of: error) == expected, "\(error)")
        #expect(error.underlying is SessionFailure || expected == .challenge)
    }

    @Test(
        "Codes with a specific meaning determine the error",
        arguments: [
            (-1003, HTTPError.networkError(NetworkFailure(.failedLookup()))), (-1004, .networkError(NetworkFailure(.connectionRefused))),
            (-1005, .networkError(NetworkFailure(.connectionLost))), (-1009, .networkError(NetworkFailure(.offline))),
            (-1001, .timeout), (-999, .cancelled), (310, .networkError(NetworkFailure(.proxyFailed))),
            (-1200, .invalidSSLCertificate("URL loading error -1200")), (-1022, .invalidSSLCertificate("URL loading error -1022")),
        ])
    func codes(code: Int, expected: HTTPError) { #expect(SessionFailure(code: code).error == expected) }

    @Test("A connection lost after the head is a failure with the stage .body")
    func lostInBody() {
        let error = SessionFailure(code: -1005, headIsComplete: true).error
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(error.stage == .body)
    }

    @Test("A network that goes away after the request was sent is a lost connection")
    func offlineAfterSending() {
        for code in [-1009, -1018, -1019, -1020] {
            let inBody = SessionFailure(code: code, headIsComplete: true).error
            #expect(inBody == .networkError(NetworkFailure(.connectionLost)) && inBody.stage == .body)
            let inRequest = SessionFailure(code: code, hasSentBody: true).error
            #expect(inRequest == .networkError(NetworkFailure(.connectionLost)) && inRequest.stage == .exchange)
        }
    }

    @Test("A head over libcurl's own limit is a head that is too large")
    func largeHead() {
        let failure = SessionFailure(code: -1, text: "Too large response headers: 307200 > 307200", headLimit: 5)
        #expect(failure.error == .responseTooLarge(SizeLimitFailure(.head, limit: 5)))
    }
}
