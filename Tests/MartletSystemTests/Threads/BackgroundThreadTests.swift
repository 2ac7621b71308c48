import Foundation
import Testing

@testable import MartletSystem

@Suite("BackgroundThread", .timeLimit(.minutes(5)))
struct BackgroundThreadTests {
    /// The signal mask and name of a new thread.
    private struct Seen: Sendable {
        var blocked: Set<Int32> = []
        var name = ""
    }

    private func seen() async throws -> Seen {
        let outcome = OneShot<Seen>()
        try BackgroundThread.start(name: "martlet.of-a-test") {
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            outcome.set(Seen(blocked: Set((1..<32).filter { sigismember(&mask, $0) == 1 }), name: name ?? ""))
        }
        return await outcome.value()
    }

    @Test("A new thread blocks all signals except those of its own faults")
    func mask() async throws {
        let blocked = try await seen().blocked
        #expect(blocked.isDisjoint(with: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGABRT]))
        #expect(blocked.isSuperset(of: [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1, SIGUSR2]))
    }

    @Test("Starting a thread restores the starting thread's signal mask")
    func restored() throws {
        // A thread of the task pool may block all signals, which would hide a mask that was not restored.
        var none = sigset_t(), usual = sigset_t(), after = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &usual)
        defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
        try BackgroundThread.start(name: "martlet.of-a-test") {}
        pthread_sigmask(SIG_SETMASK, nil, &after)
        #expect((1..<32).allSatisfy { sigismember(&after, $0) == 0 })
    }

    #if os(Linux)
    @Test("A thread has its name, truncated as the system requires")
    func name() async throws { #expect(try await seen().name == "martlet.of-a-te\n") }
    #endif
}
