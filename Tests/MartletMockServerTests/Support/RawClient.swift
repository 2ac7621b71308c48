import Dispatch
import Foundation
import Martlet

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP connection to 127.0.0.1 that sends and receives bytes, for tests of the server. It blocks no thread.
actor RawClient {
    private let descriptor: Int32
    private var received: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
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
        var address = sockaddr_in()
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, 4)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { throw Failure(words: "connect: \(errno)") }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Sends all bytes.
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        var offset = 0
        while offset < bytes.count {
            #if canImport(Glibc)
            let sent = bytes[offset...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            #else
            let sent = bytes[offset...].withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
            #endif
            if sent >= 0 {
                offset += sent
            } else if errno == EAGAIN {
                await readiness(of: DispatchSource.makeWriteSource(fileDescriptor: descriptor))
            } else {
                throw Failure(words: "send: \(errno)")
            }
        }
    }

    /// Ends sending on this connection.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until the server ends the connection.
    func readToEnd() async throws -> String {
        while !hasEnded { try await readMore() }
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads up to and including `text`.
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

    /// Reads the bytes that arrive next. Returns nil when the server has ended the connection.
    func readSome() async throws -> [UInt8]? {
        while received.isEmpty, !hasEnded { try await readMore() }
        return received.isEmpty ? nil : take(received.count)
    }

    /// Reads exactly this number of bytes.
    func read(_ count: Int) async throws -> [UInt8] {
        while received.count < count {
            guard !hasEnded else { throw Failure(words: "ended after \(received.count) bytes") }
            try await readMore()
        }
        return take(count)
    }

    /// Reads the head and body of a response that has a Content-Length.
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
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return received += buffer[..<count] }
            if count < 0, errno == EAGAIN {
                await readiness(of: DispatchSource.makeReadSource(fileDescriptor: descriptor))
                continue
            }
            if count < 0, errno != ECONNRESET { throw Failure(words: "recv: \(errno)") }
            wasReset = count < 0
            return hasEnded = true
        }
    }

    private func readiness(of source: some DispatchSourceProtocol) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            source.setEventHandler { source.cancel() }
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }
}
