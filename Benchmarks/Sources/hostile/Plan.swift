import Foundation
import Martlet

/// The request of one call and its allowed outcomes. Derived from the seed and the call's number, so that runs are repeatable.
struct Plan: Sendable {
    /// The kind of response that the server sends.
    enum Reply: Sendable {
        case good, slow, reset, cut
        case coded(Int)
        /// A malformed head.
        case head(Int)
        /// Malformed chunks.
        case chunks(Int)
        /// A chunk for each byte.
        case tiny
        /// An error whose text looks like many secrets.
        case text
        /// A connection that loses its next request.
        case stale
        /// A POST over HTTP/2 to a server that retires each connection after twenty requests.
        case retired
    }

    let reply: Reply
    /// The time after which the caller cancels its task; nil for never.
    let cancellation: Duration?

    /// Creates the plan of a call: 5 % of the calls are reset, 5 % truncated, 2 % maliciously encoded, 5 % malformed, 3 % in tiny chunks,
    /// 1 % refused with hostile text, 4 % leave a stale connection, 4 % use retired connections, and 20 % are slow. Of all calls, 30 % are
    /// cancelled.
    init(_ number: Int, seed: UInt64) {
        var chance = Chance(state: seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        switch chance.below(100) {
        case 0..<5: reply = .reset
        case 5..<10: reply = .cut
        case 10..<12: reply = .coded(Int(chance.below(4)))
        case 12..<15: reply = .head(Int(chance.below(8)))
        case 15..<17: reply = .chunks(Int(chance.below(4)))
        case 17..<20: reply = .tiny
        case 20: reply = .text
        case 21..<25: reply = .stale
        case 25..<29: reply = .retired
        case 29..<49: reply = .slow
        default: reply = .good
        }
        cancellation = chance.below(100) < 30 ? .microseconds(Int64(chance.below(12_000))) : nil
    }

    var path: Path {
        switch reply {
        case .good: "good"
        case .slow: "slow"
        case .reset: "reset"
        case .cut: "cut"
        case .coded(let number): "coded/\(number)"
        case .head(let number): "head/\(number)"
        case .chunks(let number): "chunks/\(number)"
        case .tiny: "tiny"
        case .text: "text"
        case .stale: "stale"
        case .retired: "retired"
        }
    }

    /// Whether the plan allows an outcome. A call that is not cancelled has one kind of outcome.
    func allows(_ outcome: Outcome) -> Bool {
        if outcome == .cancelled { return cancellation != nil }
        switch (reply, outcome) {
        case (.good, .succeeded), (.slow, .succeeded), (.tiny, .succeeded), (.stale, .succeeded), (.retired, .succeeded): return true
        case (.head, .failed("invalidResponse")), (.chunks, .failed("invalidResponse")), (.text, .failed("statusCode")): return true
        case (.reset, .failed("connectionLost")), (.cut, .failed("connectionLost")): return true
        case (.coded, .failed("invalidResponse")), (.coded, .failed("responseTooLarge")): return true
        default: return false
        }
    }
}

/// The outcome of a call.
enum Outcome: Hashable, Sendable {
    case succeeded
    case cancelled
    case failed(String)

    init(_ result: Result<Data, HTTPError>) {
        switch result {
        case .success(let body): self = body.count == 1024 ? .succeeded : .failed("a body of \(body.count) bytes")
        case .failure(.cancelled): self = .cancelled
        case .failure(.networkError(let failure)): self = .failed(failure.kind.rawValue)
        case .failure(.invalidResponse): self = .failed("invalidResponse")
        case .failure(.responseTooLarge): self = .failed("responseTooLarge")
        case .failure(.statusCode(let response)):
            // As a log would, with the text of the body redacted.
            self = .failed(HTTPError.statusCode(response).description.isEmpty ? "no description" : "statusCode")
        case .failure(let error): self = .failed("\(error)")
        }
    }
}

/// A SplitMix64 generator.
private struct Chance {
    var state: UInt64

    mutating func below(_ limit: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % limit
    }
}
