import CMartletCurl
import Foundation
import Glibc
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: a forked process", .timeLimit(.minutes(5)))
struct ForkTests {
    /// Ends a child that hangs. Its only thread may have inherited a mask that blocks the signal.
    ///
    /// Made before the fork: another thread may hold a lock of Swift's runtime at that moment, which the child would then wait for as soon
    /// as it uses a type for the first time.
    private struct Watchdog {
        private let signal = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)

        init() {
            sigemptyset(signal)
            sigaddset(signal, SIGALRM)
        }

        func ends(after seconds: UInt32) {
            pthread_sigmask(SIG_UNBLOCK, signal, nil)
            alarm(seconds)
        }
    }

    /// The function, which Swift hides because the child has only the thread that calls it.
    private static func fork() throws -> @convention(c) () -> Int32 {
        unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> Int32).self)
    }

    @Test("A child wakes no thread of its parent when its copy of the transport is released")
    func silent() async {
        await #expect(processExitsWith: .success) {
            ExitHook.install()
            let inbox = try #require(EngineInbox())
            #expect(inbox.mayFallAsleep())
            let fork = try ForkTests.fork()
            let child = fork()
            if child == 0 {
                inbox.post(.close)
                _exit(inbox.isOfThisProcess ? 1 : 0)
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            var bell = pollfd(fd: inbox.wakeupDescriptor, events: Int16(POLLIN), revents: 0)
            #expect(status == 0 && poll(&bell, 1, 0) == 0)
            inbox.post(.close)
            #expect(poll(&bell, 1, 0) == 1)
            exit(status == 0 && inbox.isOfThisProcess ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("Calls of a child over the parent's transport fail with advice, and the parent's calls continue", arguments: [1, 3])
    func forked(engines: Int) async {
        await #expect(processExitsWith: .success) { [engines] in
            let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let request = HTTPRequest(url: server.url())
            var configuration = CurlTransport.Configuration()
            configuration.engines = engines
            let engine = try CurlEngine(try CurlLibrary.shared.get(), configuration)
            // As below, the types exist before the fork.
            _ = try engine.makeTransfer(request)
            // The child has only this thread, and therefore runs nothing asynchronous.
            let watchdog = Watchdog()
            let fork = try ForkTests.fork()
            let child = fork()
            if child == 0 {
                watchdog.ends(after: 20)
                do throws(HTTPError) {
                    _ = try engine.makeTransfer(request)
                    _exit(1)
                } catch {
                    guard case .engineUnavailable(let what) = error, what.text.contains("in the child") else { _exit(2) }
                    _exit(0)
                }
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            #expect(status == 0)
            #expect(try await CurlTransport(configuration).send(request).status == .ok)
            exit(status == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test(
        "A child's call fails without waiting for a lock that the parent held, and works over a transport that was never used",
        .disabled(
            if: ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] == "thread",
            "ThreadSanitizer ends a forked child that starts a thread"))
    func locked() async {
        await #expect(processExitsWith: .success) {
            let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let request = HTTPRequest(url: server.url())
            let used = LazyEngine { () throws(HTTPError) in try CurlEngine(try CurlLibrary.shared.get(), .init()) }
            // Its engine is never created, so that the child's call would wait for it.
            let unused = LazyEngine { () throws(HTTPError) in
                Gate().wait()
                throw .cancelled
            }
            _ = try await used.engine(for: request)
            let watchdog = Watchdog()
            let fork = try ForkTests.fork()
            let child = used.state.withLock { _ in
                let child = fork()
                guard child == 0 else { return child }
                watchdog.ends(after: 5)
                // Runs on this thread until it would wait. In the child a task would wait forever.
                _ = beginTask {
                    do throws(HTTPError) {
                        _ = try await used.engine(for: request)
                        _exit(1)
                    } catch {
                        guard case .engineUnavailable(let what) = error, what.text.contains("in the child") else { _exit(2) }
                    }
                    _ = try? await unused.engine(for: request)
                    _exit(3)
                }
                // The call is now waiting for its engine.
                _exit(unused.state.withLock { $0.waiting != nil } ? 0 : 4)
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            #expect(status == 0)
            exit(status == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("The body of a response that the parent received can be read in the parent and fails in the child", arguments: [0, 3])
    func body(sent: Int) async {
        await #expect(processExitsWith: .success) { [sent] in
            let gate = Gate()
            let server = RawServer { connection in
                guard connection.readRequest() != nil else { return }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n" + String("abcdef".prefix(sent)))
                gate.wait()
                connection.send(String("abcdef".dropFirst(sent)))
            }
            var request = HTTPRequest(url: server.url())
            request.context.streamsBody = true
            let transport = CurlTransport()
            // The types that the child uses exist before the fork, at which another thread may hold a lock of Swift's runtime.
            let other = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
            var earlier = request
            earlier.url = other.url()
            let read = try await transport.send(earlier)
            await beginTask { _ = try? await read.body.collect() }.value
            let response = try await transport.send(request)
            let watchdog = Watchdog()
            let fork = try ForkTests.fork()
            let child = fork()
            if child == 0 {
                watchdog.ends(after: 20)
                // Runs on this thread until it would wait. In the child a task would wait forever.
                _ = beginTask {
                    do throws(HTTPError) {
                        _ = try await response.body.collect()
                        _exit(1)
                    } catch {
                        guard case .engineUnavailable(let what) = error, what.text.contains("in the child") else { _exit(2) }
                        _exit(0)
                    }
                }
                _exit(3)
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            #expect(status == 0)
            gate.open()
            let isWhole = try await response.body.collect() == Data("abcdef".utf8)
            exit(status == 0 && isWhole ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("A child forked by a task on an engine's thread runs neither the other tasks nor the engine")
    func onEngine() async {
        await #expect(processExitsWith: .success) {
            let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let transport = CurlTransport()
            _ = try await transport.send(HTTPRequest(url: server.url()))
            let parent = getpid()
            let child = try await withTaskExecutorPreference(transport.taskExecutor) {
                try await withThrowingTaskGroup(of: Int32?.self) { group in
                    group.addTask {
                        let watchdog = Watchdog()
                        let child = try ForkTests.fork()()
                        if child == 0 { watchdog.ends(after: 1) }
                        return child
                    }
                    // Queued behind the first one.
                    group.addTask {
                        if getpid() != parent { _exit(9) }
                        return nil
                    }
                    return try await group.reduce(nil) { $0 ?? $1 }
                }
            }
            var status: Int32 = -1
            waitpid(try #require(child), &status, 0)
            // The child's thread stopped, so that only the alarm ended it.
            #expect(status & 0x7F == SIGALRM)
            let isFine = try await transport.send(HTTPRequest(url: server.url())).status == .ok
            exit(isFine && status & 0x7F == SIGALRM ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
