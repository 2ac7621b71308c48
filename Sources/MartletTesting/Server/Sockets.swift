import Foundation

#if canImport(Glibc)
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
private let noSignal = Int32(MSG_NOSIGNAL)
#elseif canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
private let noSignal: Int32 = 0
#endif

/// The few calls of POSIX that a loopback server needs. Every descriptor is non-blocking and closed on exec.
enum Sockets {
    enum Transfer: Equatable {
        case bytes(Int)
        case wouldBlock
        case closed
    }

    /// A listener on a free port of 127.0.0.1, and the port.
    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw MockServerError("no socket can be had: \(reason())") }
        prepare(descriptor)
        var address = sockaddr_in()
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Self.listen(on: descriptor) && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else {
            let why = reason()
            close(descriptor)
            throw MockServerError("can't listen on 127.0.0.1: \(why)")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// The next connection that waits, or nil.
    static func accept(from listener: Int32) -> Int32? {
        #if canImport(Glibc)
        let descriptor = Glibc.accept(listener, nil, nil)
        #else
        let descriptor = Darwin.accept(listener, nil, nil)
        #endif
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        outcome(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
        outcome(send(descriptor, bytes.baseAddress, bytes.count, noSignal))
    }

    static func shut(_ descriptor: Int32) { _ = close(descriptor) }

    /// A pipe whose ends do not block: what wakes a thread that polls.
    static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        #if canImport(Glibc)
        let result = Glibc.pipe(&ends)
        #else
        let result = Darwin.pipe(&ends)
        #endif
        guard result == 0 else { throw MockServerError("no pipe can be had: \(reason())") }
        for end in ends { prepare(end) }
        return (ends[0], ends[1])
    }

    /// Wakes who polls the other end. A pipe that is full wakes it as well.
    static func wake(_ descriptor: Int32) {
        var byte: UInt8 = 1
        #if canImport(Glibc)
        _ = Glibc.write(descriptor, &byte, 1)
        #else
        _ = Darwin.write(descriptor, &byte, 1)
        #endif
    }

    /// Takes what has come through a pipe.
    static func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 256)
        #if canImport(Glibc)
        while Glibc.read(descriptor, &bytes, bytes.count) > 0 {}
        #else
        while Darwin.read(descriptor, &bytes, bytes.count) > 0 {}
        #endif
    }

    private static func listen(on descriptor: Int32) -> Bool {
        #if canImport(Glibc)
        Glibc.listen(descriptor, 1024) == 0
        #else
        Darwin.listen(descriptor, 1024) == 0
        #endif
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    private static func outcome(_ result: Int) -> Transfer {
        if result > 0 { return .bytes(result) }
        if result < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return .wouldBlock }
        return .closed
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// Why a server could not start.
public struct MockServerError: Error, CustomStringConvertible {
    /// What failed, in words.
    public let description: String

    init(_ description: String) { self.description = description }
}
