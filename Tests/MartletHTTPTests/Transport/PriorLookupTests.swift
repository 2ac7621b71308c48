import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("PriorLookup: lookups before a library gets a request", .timeLimit(.minutes(5)))
struct PriorLookupTests {
    private let url = URL(string: "http://some.example/")!

    private func error(_ addresses: [String]?, _ policy: AddressPolicy = .publicOnly) async -> HTTPError? {
        do {
            try await PriorLookup(policy: policy, lookup: { _ in addresses }).check(url)
            return nil
        } catch { return error }
    }

    private func isRefused(_ error: HTTPError?) -> Bool { if case .addressRefused = error { true } else { false } }

    @Test("One refused address among several refuses the host, because the library may use any of them")
    func mixed() async throws {
        #expect(await error(["8.8.8.8", "2606:4700::1"]) == nil)
        for addresses in [["8.8.8.8", "10.0.0.1"], ["fe80::1%lo"], [""]] {
            let error = await error(addresses)
            #expect(isRefused(error))
        }
        #expect(await error(["8.8.8.8", "10.0.0.1"], try AddressPolicy(allowing: ["10.0.0.0/8"])) == nil)
    }

    @Test("A name without an address is an unknown host")
    func notFound() async {
        for addresses in [nil, []] as [[String]?] { #expect(await error(addresses) == .networkError(NetworkFailure(.hostNotFound))) }
    }

    @Test("Cancelling the task ends the wait for a slow lookup")
    func cancelled() async {
        let gate = DispatchSemaphore(value: 0)
        let began = OneShot<Void>()
        let task = Task { () -> HTTPError? in
            let check = PriorLookup(policy: .publicOnly) { _ in
                began.set(())
                gate.wait()
                return []
            }
            do throws(HTTPError) {
                try await check.check(url)
                return nil
            } catch { return error }
        }
        await began.value()
        task.cancel()
        #expect(await task.value == .cancelled)
        gate.signal()
    }

    @Test("At most eight names are looked up concurrently, and an abandoned one is not looked up")
    func bounded() async {
        let gate = DispatchSemaphore(value: 0)
        let lane = PriorLookup.makeLane()
        let counts = Locked((running: 0, most: 0, all: 0))
        let full = OneShot<Void>()
        let check = PriorLookup(
            policy: .publicOnly,
            lookup: { _ in
                let running = counts.withLock { counts in
                    counts.running += 1
                    counts.all += 1
                    counts.most = max(counts.most, counts.running)
                    return counts.running
                }
                if running == 8 { full.set(()) }
                gate.wait()
                counts.withLock { $0.running -= 1 }
                return ["8.8.8.8"]
            }, lane: lane)
        let first = (0..<8).map { _ in Task { try await check.check(url) } }
        await full.value()
        let later = (0..<8).map { _ in Task { try await check.check(url) } }
        let left = Task { () -> HTTPError? in
            do throws(HTTPError) {
                try await check.check(url)
                return nil
            } catch { return error }
        }
        left.cancel()
        #expect(await left.value == .cancelled)
        for _ in 0..<32 { gate.signal() }
        for task in first + later { #expect(await (try? task.value) != nil) }
        #expect(counts.withLock { $0.most } == 8 && counts.withLock { $0.all } == 16)
    }

    @Test("A lookup that exceeds the request's deadline is a timeout, even if only the transport enforces the deadline")
    func deadline() async throws {
        let gate = DispatchSemaphore(value: 0)
        let check = PriorLookup(
            policy: .publicOnly,
            lookup: { _ in
                gate.wait()
                return []
            }, lane: PriorLookup.makeLane())
        let error = await #expect(throws: HTTPError.self) { try await check.check(url, until: .now) }
        #expect(error == .timeout && error?.stage == .connect)
        gate.signal()
    }
}
