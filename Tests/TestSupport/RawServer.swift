#if os(Linux)
package import Foundation
internal import Glibc
internal import MartletHTTP
internal import MartletSystem

/// A loopback server whose bytes the test determines. A closure serves each connection on its own thread.
package final class RawServer: Sendable {
    package let port: UInt16
    private let listener: Int32
    private let state = Locked(State())

    private struct State {
        var requests: [Received] = []
        var connections = 0
    }

    /// A request as it was received.
    package struct Received: Sendable {
        package let head: String
        package let body: Data
        package let connection: Int

        package var line: String { String(head.prefix { $0 != "\r\n" }) }

        /// The values of a field, one for each line.
        package func values(_ name: String) -> [String] {
            head.split(separator: "\r\n").dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else { return nil }
                return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        }

        package func value(_ name: String) -> String? { values(name).first }
    }

    package convenience init(_ serve: @escaping @Sendable (Connection) -> Void) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = RawServer.loopback(port: 0)
        RawServer.listen(listener, &address)
        self.init(listener: listener, port: UInt16(bigEndian: address.sin_port), serve)
    }

    /// Serves on a Unix domain socket. No file may exist at the path.
    package convenience init(unixSocket path: String, _ serve: @escaping @Sendable (Connection) -> Void) {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        RawServer.listen(listener, &address)
        self.init(listener: listener, port: 0, serve)
    }

    private static func listen<Address>(_ listener: Int32, _ address: inout Address) {
        var length = socklen_t(MemoryLayout<Address>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && Glibc.listen(listener, 256) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        precondition(isListening, "no place to listen at")
    }

    private init(listener: Int32, port: UInt16, _ serve: @escaping @Sendable (Connection) -> Void) {
        self.listener = listener
        self.port = port
        Thread.detachNewThread { [weak self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                guard let self else {
                    close(descriptor)
                    break
                }
                let number = state.withLock { state in
                    state.connections += 1
                    return state.connections
                }
                let connection = Connection(descriptor, number: number) { request in self.state.withLock { $0.requests.append(request) } }
                Thread.detachNewThread {
                    serve(connection)
                    connection.finish()
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Sends the same response to every request on every connection.
    package static func answering(_ answer: String) -> RawServer {
        RawServer { connection in
            while connection.readRequest() != nil { connection.send(answer) }
        }
    }

    package var requests: [Received] { state.withLock { $0.requests } }
    package var connectionCount: Int { state.withLock { $0.connections } }

    package func url(_ path: String = "/") -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

    package static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// A port without a listener.
    package static func deadPort() -> UInt16 {
        let server = RawServer { _ in }
        return server.port
    }

    /// One connection, passed to the server's script.
    package final class Connection: Sendable {
        package let number: Int
        private let descriptor: Int32
        private let buffered = Locked(Data())
        private let isOpen = Locked(true)
        private let record: @Sendable (Received) -> Void

        package init(_ descriptor: Int32, number: Int, record: @escaping @Sendable (Received) -> Void) {
            self.descriptor = descriptor
            self.number = number
            self.record = record
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        }

        /// Reads a complete request and records it. Returns nil if the client has closed the connection.
        package func readRequest() -> Received? {
            guard let head = readHead() else { return nil }
            let bare = Received(head: head, body: Data(), connection: number)
            var body = Data()
            if let length = bare.value("Content-Length").flatMap({ Int($0) }) {
                guard let bytes = read(length) else { return nil }
                body = bytes
            } else if bare.value("Transfer-Encoding") == "chunked" {
                guard let bytes = readChunks() else { return nil }
                body = bytes
            }
            let request = Received(head: head, body: body, connection: number)
            record(request)
            return request
        }

        /// Reads up to the empty line. Returns nil if the client has closed the connection.
        package func readHead() -> String? {
            while true {
                let found = buffered.withLock { data -> String? in
                    guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
                    defer { data = Data(data[end.upperBound...]) }
                    return String(decoding: data[..<end.lowerBound], as: UTF8.self)
                }
                if let found { return found }
                guard fill() else { return nil }
            }
        }

        /// Reads the given number of bytes. Returns nil if the client closes the connection before that.
        package func read(_ count: Int) -> Data? {
            while buffered.withLock({ $0.count }) < count { guard fill() else { return nil } }
            return buffered.withLock { data in
                defer { data = Data(data.dropFirst(count)) }
                return Data(data.prefix(count))
            }
        }

        /// Reads the bytes that arrive next. Returns nil if the client has closed the connection.
        package func readSome() -> Data? {
            if buffered.withLock({ $0.isEmpty }), !fill() { return nil }
            return buffered.withLock { data in
                defer { data = Data() }
                return data
            }
        }

        private func readChunks() -> Data? {
            var body = Data()
            while true {
                var line = Data()
                while line.last != UInt8(ascii: "\n") {
                    guard let byte = read(1) else { return nil }
                    line.append(byte)
                }
                guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16), let chunk = read(size + 2) else {
                    return nil
                }
                guard size > 0 else { return body }
                body.append(chunk.dropLast(2))
            }
        }

        private func fill() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 64 * 1024)
            let got = recv(descriptor, &bytes, bytes.count, 0)
            guard got > 0 else { return false }
            buffered.withLock { $0.append(contentsOf: bytes[..<got]) }
            return true
        }

        /// The number of TCP segments with data that have arrived: one for each write of at most 32 KiB.
        package var receivedSegments: Int {
            // `tcpi_data_segs_in`, which glibc's `tcp_info` ends before.
            var info = [UInt32](repeating: 0, count: 64), length = socklen_t(256)
            return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 ? Int(info[152 / 4]) : -1
        }

        @discardableResult
        package func send(_ text: String) -> Bool { send(Data(text.utf8)) }

        /// Sends all bytes. Returns false if the client has closed the connection.
        @discardableResult
        package func send(_ data: Data) -> Bool {
            var rest = data[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }

        /// Waits until the client has stopped sending for a while, without reading.
        package func waitUntilQuiet() {
            var before: Int32 = -1, now: Int32 = 0
            while now == 0 || now != before {
                before = now
                // A real wait, because no event of the socket tells that the client has stopped sending.
                _ = poll(nil, 0, 50)
                _ = ioctl(descriptor, UInt(FIONREAD), &now)
            }
        }

        /// Sends zeros until the client has stopped reading for a while, or until `limit`. Returns the number of bytes that it read.
        package func sendUntilBlocked(limit: Int) -> Int {
            let chunk = [UInt8](repeating: 0, count: 64 * 1024)
            var total = 0
            while total < limit {
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                // A real wait, because no event of the socket tells that the client has stopped reading.
                guard poll(&poller, 1, 300) == 1 else { break }
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                let sent = Foundation.send(descriptor, chunk, min(chunk.count, limit - total), flags)
                guard sent > 0 else { break }
                total += sent
            }
            return total
        }

        /// Relays bytes between the client and a loopback port until one of them closes, as a proxy's tunnel does.
        package func relay(to port: UInt16) {
            let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = RawServer.loopback(port: port)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            let ended = DispatchSemaphore(value: isConnected ? 0 : 1)
            if isConnected {
                Thread.detachNewThread { [descriptor] in
                    Connection.copy(from: far, to: descriptor)
                    ended.signal()
                }
                Connection.copy(from: descriptor, to: far)
                shutdown(far, Int32(SHUT_RDWR))
            }
            ended.wait()
            close(far)
        }

        private static func copy(from source: Int32, to target: Int32) {
            var bytes = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let got = recv(source, &bytes, bytes.count, 0)
                guard got > 0, Foundation.send(target, bytes, got, Int32(MSG_NOSIGNAL)) == got else { break }
            }
            shutdown(target, Int32(SHUT_WR))
        }

        /// Waits until the client closes the connection.
        package func waitForClose() { while fill() {} }

        /// Resets the connection.
        package func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            finish()
        }

        package func finish() {
            let wasOpen = isOpen.withLock { open in
                defer { open = false }
                return open
            }
            if wasOpen { close(descriptor) }
        }
    }
}
#endif
