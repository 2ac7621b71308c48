import Foundation
import Martlet
import MartletRedis

/// One process of a fleet that shares a rate limit. It sends requests as fast as the limit allows, until it is killed or two minutes have
/// passed.
///
/// Usage: fleet URL SOCKET RATE BURST wait|SHARE. Each request has the field `Claimed`: an instant of the monotonic clock, in nanoseconds,
/// that is not later than its permission.
@main
enum Fleet {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let url = URL(string: arguments[1]), let rate = Int(arguments[3]), let burst = Int(arguments[4]) else {
            print("usage: fleet URL SOCKET RATE BURST wait|SHARE")
            exit(64)
        }
        let state = WatchedState(RedisTrafficState(socket: arguments[2]))
        let limiter = RateLimiter(.perSecond(rate, burst: burst), sharedAs: "fleet", in: state, localShare: Double(arguments[5]))
        let client = HTTPClient(baseURL: url, interceptors: [limiter, Stamp(state: state)])
        for _ in 0..<8 {
            Task { while true { _ = try? await client.send(Request<Data>.get("work")) } }
        }
        try await Task.sleep(for: .seconds(120))
    }

    /// The monotonic clock, which all processes of a machine share.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// A shared state that notes when each permission was claimed.
final class WatchedState: SharedTrafficState, @unchecked Sendable {
    // Safe: each access is within the lock.
    private let lock = NSLock()
    private var claimed: [UInt64] = []
    /// The last two failures.
    private var failed: (before: UInt64, last: UInt64) = (0, 0)
    private let state: RedisTrafficState

    init(_ state: RedisTrafficState) { self.state = state }

    var maxDelay: Duration { state.maxDelay }

    /// Returns an instant that is not later than the permission of the request that is sent now: the beginning of the earliest claim whose
    /// permission was not used yet. Without one, the process has given itself the permission after a failure: the one before the last, in
    /// case that the store was asked again before this call.
    func next() -> UInt64 { lock.withLock { claimed.isEmpty ? failed.before : claimed.removeFirst() } }

    func take(_ claim: SharedPermissionClaim, of group: String) async -> SharedPermission {
        let began = Fleet.now, reply = await state.take(claim, of: group)
        lock.withLock {
            if reply == .taken { claimed.append(began) }
            if reply == .unavailable { failed = (failed.last, Fleet.now) }
        }
        return reply
    }

    func pause(_ group: String, for duration: Duration) async { await state.pause(group, for: duration) }

    func advance(_ group: String, by step: SharedCircuitStep, _ rules: CircuitBreaker.Rules) async -> SharedCircuit {
        await state.advance(group, by: step, rules)
    }
}

/// Adds the field `Claimed`. It is inside the limiter, so it runs when a request has its permission.
struct Stamp: Interceptor {
    let state: WatchedState

    func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var request = request
        request.headers["Claimed"] = "\(state.next())"
        return try await next(request)
    }
}
