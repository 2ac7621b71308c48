import Foundation
import MartletCache
import MartletSystem

@testable import MartletRedis

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A loopback server whose bytes the test determines. A closure serves each connection, on its own thread.
final class ScriptedServer: Sendable {
    let port: Int
    /// The received commands, in order.
    let arrivals: AsyncStream<[String]>
    private let listener: Int32
    private let count = Locked(0)

    /// The number of connections so far.
    var connections: Int { count.withLock { $0 } }

    init(_ serve: @escaping @Sendable (Connection) -> Void) {
        #if canImport(Glibc)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        precondition(isListening, "no port to listen at")
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        let (arrivals, arrived) = AsyncStream.makeStream(of: [String].self)
        self.arrivals = arrivals
        Thread.detachNewThread { [count] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                Thread.detachNewThread {
                    serve(Connection(descriptor, number: number, arrived))
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Replies to each command with the result of `answer`. Nil ends the connection.
    static func answering(_ answer: @escaping @Sendable ([String]) -> String?) -> ScriptedServer {
        ScriptedServer { connection in
            while let command = connection.command(), let text = answer(command) { connection.send(text) }
        }
    }

    /// Returns the next command on any connection.
    func next() async -> [String]? {
        for await command in arrivals { return command }
        return nil
    }

    /// Returns a store in this server. By default it asks the server again immediately after a failure.
    func store(
        time: any TimeSource = .system, _ change: (inout RedisConfiguration) -> Void = { _ in }
    ) -> RedisCacheStore {
        var configuration = RedisConfiguration()
        configuration.pauseAfterFailure = .zero
        configuration.commandTimeout = .seconds(30)
        configuration.connectTimeout = .seconds(30)
        change(&configuration)
        return RedisCacheStore(port: port, configuration: configuration, time: time)
    }

    /// One connection, passed to the server's script and used only by its thread.
    final class Connection {
        let number: Int
        private let descriptor: Int32
        private let arrived: AsyncStream<[String]>.Continuation
        private var parser = RESPParser()
        private var commands: [[String]] = []

        init(_ descriptor: Int32, number: Int, _ arrived: AsyncStream<[String]>.Continuation) {
            (self.descriptor, self.number, self.arrived) = (descriptor, number, arrived)
            #if canImport(Darwin)
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, 4)
            #endif
        }

        /// Reads a command. Returns nil if the client has closed the connection.
        func command() -> [String]? {
            var bytes = [UInt8](repeating: 0, count: 64 * 1024)
            while commands.isEmpty {
                let count = recv(descriptor, &bytes, bytes.count, 0)
                guard count > 0, let values = try? bytes[..<count].withUnsafeBytes({ try parser.feed($0) }) else { return nil }
                for case .array(let words) in values {
                    commands.append(words.map { if case .bytes(let word) = $0 { String(decoding: word, as: UTF8.self) } else { "" } })
                }
            }
            let command = commands.removeFirst()
            arrived.yield(command)
            return command
        }

        /// Sends all bytes. Returns false if the client has closed the connection.
        @discardableResult
        func send(_ text: String) -> Bool {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
                #else
                let flags: Int32 = 0
                #endif
                let sent = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }

        /// Waits until the client closes the connection.
        func waitForClose() { while command() != nil {} }
    }
}
