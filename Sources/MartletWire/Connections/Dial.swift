internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The opening of a connection for an exchange: the lookup of its name, and attempts to connect to its addresses in turn.
///
/// An attempt that is not successful within ``delay`` continues beside the next one, and the first connection that opens is used (RFC 8305
/// §5). Only the thread of the exchange's engine accesses it.
final class Dial: QueuedTimer, @unchecked Sendable {
    // Proof: only the thread of the exchange's engine accesses the properties, except for `place`, which the team's lock protects.

    /// The time after which the next address is tried.
    static let delay = Duration.milliseconds(250)
    /// The maximum number of attempts at the same time. The oldest one ends for another.
    static let maxAttempts = 3

    let exchange: WireExchange
    let began = ContinuousClock.now
    /// The host whose name is looked up; empty before, or for none.
    var name = ""
    /// The addresses that have not been tried.
    var addresses: [SocketAddress] = []
    /// The attempts that have not failed.
    var attempts: [WireConnection] = []
    /// Why the last address was refused by the request's policy.
    var refusal: String?
    /// The `errno` code of the last attempt that failed.
    var code: Int32 = 0
    /// Whether the exchange has a connection, or has ended.
    var isOver = false
    var place = -1

    init(_ exchange: WireExchange) { self.exchange = exchange }

    /// The error if no address could be connected to.
    var failure: HTTPError {
        let context = ErrorContext(stage: .connect)
        if code == 0, let refusal { return .addressRefused(Explanation(refusal, context: context)) }
        let words = SystemFailure.words(code)
        func network(_ kind: NetworkFailure.Kind) -> HTTPError { .networkError(NetworkFailure(kind, words, context: context)) }
        return switch code {
        case 0: .networkError(NetworkFailure(.failedLookup(), "the name was not found: \(Redaction.line(name))", context: context))
        case ECONNREFUSED, EAGAIN: network(.connectionRefused)
        case ETIMEDOUT: .timeout(ErrorContext(stage: .connect, detail: words))
        case ECONNRESET: network(.connectionLost)
        case EMFILE, ENFILE: .engineUnavailable(Explanation("the process has no free file descriptors", context: context))
        default: network(.missingRoute())
        }
    }
}

/// The end of the time for which a request waits for the server's permission to send its body.
final class ContinueTimer: QueuedTimer {
    let exchange: WireExchange
    var place = -1

    init(_ exchange: WireExchange) { self.exchange = exchange }
}
