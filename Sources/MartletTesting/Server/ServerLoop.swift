import Foundation
import Martlet

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The thread of a server: waits for its sockets and its inbox, and does what they ask for. It never waits for anything else.
final class ServerLoop: Sendable {
    enum Message: Sendable {
        case reply(MockReply, connection: Int)
        case stop
    }

    private struct Inbox {
        var messages: [Message] = []
        var isClosed = false
    }

    let script: ServerScript
    let ended = Recorder<Bool>()
    let counts = Locked((connections: 0, bytesWritten: 0))
    private let inbox = Locked(Inbox())
    private let listener: Int32
    private let wakeReading: Int32
    private let wakeWriting: Int32
    private let limits: RequestParser.Limits

    init(script: ServerScript, listener: Int32, limits: RequestParser.Limits) throws {
        self.script = script
        self.listener = listener
        self.limits = limits
        (wakeReading, wakeWriting) = try Sockets.pipe()
    }

    func start() { Thread.detachNewThread { [self] in run() } }

    /// Gives the thread something to do; once it has ended, nothing.
    func post(_ message: Message) {
        inbox.withLock { inbox in
            guard !inbox.isClosed else { return }
            if inbox.messages.isEmpty { Sockets.wake(wakeWriting) }
            inbox.messages.append(message)
        }
    }

    private func run() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        var connections: [Int: ServerConnection] = [:]
        while takeMessages(&connections) {
            var polled = [pollfd(fd: wakeReading, events: Int16(POLLIN), revents: 0), pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            let numbers = Array(connections.keys)
            for number in numbers { polled.append(connections[number]?.interest ?? pollfd()) }
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { break }
            if polled[0].revents != 0 { Sockets.drain(wakeReading) }
            for (number, entry) in zip(numbers, polled.dropFirst(2)) where entry.revents != 0 {
                if entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { connections[number]?.read(into: buffer) }
                serve(number, &connections)
            }
            if polled[1].revents != 0 { accept(&connections) }
        }
        end(connections)
    }

    /// Does what the inbox asks for; false when the server is to stop.
    private func takeMessages(_ connections: inout [Int: ServerConnection]) -> Bool {
        let messages = inbox.withLock { inbox in
            defer { inbox.messages = [] }
            return inbox.messages
        }
        for message in messages {
            guard case .reply(let reply, let number) = message else { return false }
            connections[number]?.answer(reply)
            serve(number, &connections)
        }
        return true
    }

    private func accept(_ connections: inout [Int: ServerConnection]) {
        while let descriptor = Sockets.accept(from: listener) {
            let number = counts.withLock { counts in
                counts.connections += 1
                return counts.connections
            }
            connections[number] = ServerConnection(descriptor: descriptor, number: number, limits: limits)
        }
    }

    /// Writes what a connection has to write and takes up its next requests, as far as both go.
    private func serve(_ number: Int, _ connections: inout [Int: ServerConnection]) {
        // Taken out while it changes, so that its buffers are not copied.
        guard var connection = connections.removeValue(forKey: number) else { return }
        repeat {
            let count = connection.flush()
            if count > 0 { counts.withLock { $0.bytesWritten += count } }
            guard let request = connection.nextRequest() else { continue }
            if let reply = begin(request, number) { connection.answer(reply) }
        } while connection.wantsToWrite && !connection.isClosed && connection.answering == nil && flushes(&connection)
        if connection.isClosed { return Sockets.shut(connection.descriptor) }
        connections[number] = connection
    }

    /// Writes; whether everything was taken, so that there may be a next request to take up.
    private func flushes(_ connection: inout ServerConnection) -> Bool {
        let count = connection.flush()
        if count > 0 { counts.withLock { $0.bytesWritten += count } }
        return !connection.wantsToWrite
    }

    /// The answer to a request, when it is there at once; else it comes through the inbox.
    private func begin(_ request: RecordedRequest, _ number: Int) -> MockReply? {
        let source = script.take(request)
        if case .reply(let reply) = source, reply.delay == nil { return reply }
        Task { [self] in
            let reply: MockReply =
                switch source {
                case .reply(let reply): reply
                case .handler(let handler): await script.answer(request, by: handler)
                }
            if let delay = reply.delay { try? await script.time.sleep(for: delay) }
            post(.reply(reply, connection: number))
        }
        return nil
    }

    private func end(_ connections: [Int: ServerConnection]) {
        for connection in connections.values { Sockets.shut(connection.descriptor) }
        Sockets.shut(listener)
        inbox.withLock { inbox in
            inbox.isClosed = true
            Sockets.shut(wakeReading)
            Sockets.shut(wakeWriting)
        }
        ended.append(true)
    }
}

extension ServerConnection {
    /// What to poll for.
    fileprivate var interest: pollfd {
        pollfd(fd: descriptor, events: Int16((wantsToRead ? POLLIN : 0) | (wantsToWrite ? POLLOUT : 0)), revents: 0)
    }
}
