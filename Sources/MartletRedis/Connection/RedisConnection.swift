internal import MartletCache
internal import MartletSystem

/// One connection, with one request at a time. Used only on the loop's thread.
final class RedisConnection {
    enum Phase {
        /// The address is being looked up, or the socket is connecting.
        case connecting
        /// The credentials and the database have been sent.
        case greeting
        case idle
        case busy
        case closed
    }

    /// The result of serving a connection.
    enum Progress {
        case none
        /// The connection can be used.
        case ready
        case answered(RedisRequest, RESPValue)
        case failed(CacheStoreError, isLost: Bool)
    }

    let number: Int
    private(set) var phase = Phase.connecting
    /// Whether it is not ready for requests yet.
    var isOpening: Bool { phase == .connecting || phase == .greeting }
    private(set) var request: RedisRequest?
    /// Whether the request is sent for the second time, because the first connection was lost.
    private(set) var isSecondTry = false
    /// Whether the connection has answered a request.
    private(set) var isProven = false
    /// Whether a byte of the reply has arrived.
    private(set) var hasAnswer = false
    /// The timer of the connect timeout.
    var timer: (any ScheduledTimer)?

    private let greeting: [RedisCommand]
    private let limits: RESPParser.Limits
    private var addresses: ArraySlice<SocketAddress> = []
    private var socket: StreamSocket?
    private var isConnected = false
    private var parser: RESPParser
    private var output: [UInt8] = []
    private var sent = 0
    private var expected = 0
    private var replies: [RESPValue] = []

    init(number: Int, greeting: [RedisCommand], limits: RESPParser.Limits) {
        self.number = number
        self.greeting = greeting
        self.limits = limits
        parser = RESPParser(limits: limits)
    }

    /// The descriptor to poll; -1 if there is no socket yet.
    var descriptor: Int32 { socket?.descriptor ?? -1 }
    var interest: Int16 {
        guard isConnected else { return Int16(POLLOUT) }
        return Int16(POLLIN) | (sent < output.count ? Int16(POLLOUT) : 0)
    }

    /// Starts to connect to the addresses, one after the other until one accepts.
    func connect(to addresses: [SocketAddress]) -> Progress {
        self.addresses = addresses.prefix(16)
        return connectToNext(after: CacheStoreError(.unavailable, "the server's address can't be found"))
    }

    private func connectToNext(after failure: CacheStoreError) -> Progress {
        var failure = failure
        socket?.shut()
        socket = nil
        while let address = addresses.popFirst() {
            do throws(SystemFailure) {
                socket = try StreamSocket(connectingTo: address)
                return .none
            } catch { failure = RedisConnection.noConnection(error.code) }
        }
        return .failed(failure, isLost: false)
    }

    private static func noConnection(_ code: Int32) -> CacheStoreError {
        CacheStoreError(.unavailable, "the connection to the server failed: \(SystemFailure.words(code))")
    }

    private func greet() -> Progress {
        isConnected = true
        guard !greeting.isEmpty else {
            phase = .idle
            return .ready
        }
        phase = .greeting
        for command in greeting { command.append(to: &output) }
        expected = greeting.count
        return send()
    }

    /// Sends a request. The connection must be idle.
    func begin(_ request: RedisRequest, isSecondTry: Bool) -> Progress {
        self.request = request
        self.isSecondTry = isSecondTry
        (phase, hasAnswer, expected, replies) = (.busy, false, 1, [])
        (output, sent) = (request.bytes, 0)
        return send()
    }

    /// Sends and receives as far as possible without waiting.
    func serve(_ events: Int16, buffer: UnsafeMutableRawBufferPointer) -> Progress {
        guard let socket else { return .none }
        guard isConnected else {
            let code = socket.connectionFailure()
            return code == 0 ? greet() : connectToNext(after: RedisConnection.noConnection(code))
        }
        if events & ~Int16(POLLOUT) != 0 {
            let progress = receive(buffer, socket)
            guard case .none = progress else { return progress }
        }
        return sent < output.count ? send() : .none
    }

    private func send() -> Progress {
        while sent < output.count, let socket {
            let transfer = output.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            switch transfer {
            case .bytes(let count): sent += count
            case .wouldBlock: return .none
            case .failed(let code): return .failed(RedisConnection.lost(SystemFailure.words(code)), isLost: true)
            }
        }
        (output, sent) = ([], 0)
        return .none
    }

    private func receive(_ buffer: UnsafeMutableRawBufferPointer, _ socket: StreamSocket) -> Progress {
        switch socket.receive(into: buffer) {
        case .wouldBlock: return .none
        case .failed(let code): return .failed(RedisConnection.lost(SystemFailure.words(code)), isLost: true)
        case .bytes(0): return .failed(RedisConnection.lost("the server has closed the connection"), isLost: true)
        case .bytes(let count):
            hasAnswer = true
            do throws(RESPError) {
                replies += try parser.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch {
                return .failed(CacheStoreError(.failed, "the server's reply is not valid in the Redis protocol: \(error)"), isLost: false)
            }
            return judge()
        }
    }

    /// Checks the replies so far.
    private func judge() -> Progress {
        let isWhole = replies.count == expected && parser.isBetweenReplies
        switch phase {
        case .connecting, .closed: return .none
        case .idle: return .failed(CacheStoreError(.failed, "the server has sent a reply without a command"), isLost: false)
        case .greeting, .busy:
            guard replies.count <= expected, replies.count < expected || isWhole else {
                return .failed(CacheStoreError(.failed, "the server has sent more replies than there were commands"), isLost: false)
            }
            guard isWhole else { return .none }
            guard output.isEmpty else {
                return .failed(CacheStoreError(.failed, "the server has replied before the whole command was sent"), isLost: false)
            }
        }
        let answer = replies
        replies = []
        if let request {
            (phase, isProven, self.request) = (.idle, true, nil)
            return .answered(request, answer[0])
        }
        for case .error(let words) in answer { return .failed(RedisFailure.greeting(words), isLost: false) }
        phase = .idle
        return .ready
    }

    private static func lost(_ words: String) -> CacheStoreError { CacheStoreError(.unavailable, "the connection was lost: \(words)") }

    func close() {
        timer?.cancel()
        timer = nil
        socket?.shut()
        socket = nil
        (phase, request) = (.closed, nil)
    }
}
