import Dispatch
import Foundation
import Martlet

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP connection to 127.0.0.1 that sends and receives bytes, for tests of the server. It blocks threads of Dispatch's, never
/// those that run the tests' tasks, and gives up on a read after 20 seconds.
actor RawClient {
    private static let queue = DispatchQueue(label: "raw clients", attributes: .concurrent)
    private let descriptor: Int32
    private var received: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var wasReset = false

    struct Failure: Error { let words: String }

    init(port: Int, receiveBufferBytes: Int32? = nil) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        if var size = receiveBufferBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { throw Failure(words: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Sends everything.
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        let failure = await onQueue { [descriptor] () -> Int32 in
            var offset = 0
            while offset < bytes.count {
                #if canImport(Glibc)
                let sent = bytes[offset...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                #else
                let sent = bytes[offset...].withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
                #endif
                if sent < 0 { return errno }
                offset += sent
            }
            return 0
        }
        if failure != 0 { throw Failure(words: "send: \(failure)") }
    }

    /// Ends this side of the connection.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Everything until the server ends the connection.
    func readToEnd() async throws -> String {
        while !hasEnded { try await readMore() }
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Up to and including `text`.
    func read(through text: String) async throws -> String {
        let wanted = Array(text.utf8)
        var searched = 0
        while true {
            while searched + wanted.count <= received.count {
                if received[searched..<searched + wanted.count].elementsEqual(wanted) {
                    return String(decoding: take(searched + wanted.count), as: UTF8.self)
                }
                searched += 1
            }
            guard !hasEnded else { throw Failure(words: "ended before '\(text)': \(String(decoding: received, as: UTF8.self))") }
            try await readMore()
        }
    }

    /// Exactly so many bytes.
    func read(_ count: Int) async throws -> [UInt8] {
        while received.count < count {
            guard !hasEnded else { throw Failure(words: "ended after \(received.count) bytes") }
            try await readMore()
        }
        return take(count)
    }

    /// Head and body of a response that has a Content-Length.
    func readResponse() async throws -> String {
        let head = try await read(through: "\r\n\r\n")
        let length = head.split(separator: "\r\n").compactMap { $0.hasPrefix("Content-Length: ") ? Int($0.dropFirst(16)) : nil }.first ?? 0
        return head + String(decoding: try await read(length), as: UTF8.self)
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private func readMore() async throws {
        let (bytes, code) = await onQueue { [descriptor] () -> ([UInt8], Int32) in
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return count < 0 ? ([], errno) : (Array(buffer.prefix(count)), 0)
        }
        if code == ECONNRESET { wasReset = true } else if code != 0 { throw Failure(words: "recv: \(code)") }
        received += bytes
        if bytes.isEmpty { hasEnded = true }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in RawClient.queue.async { continuation.resume(returning: body()) } }
    }
}
