package import MartletEssentials
package import MartletHTTP
internal import MartletSystem

/// The source of a request's body. The engine requests its bytes on the engine's thread.
package enum UploadSource {
    case data(Data)
    /// A file, opened before its exchange takes a connection. The number of files that are open ahead is limited.
    case file(FilePump)
    case stream(StreamPump)

    /// The result of a request for bytes.
    package enum Outcome {
        /// The number of bytes read; 0 at the end of the body.
        case bytes(Int)
        /// No bytes are available yet. The source wakes the engine when they are.
        case stalled
        case failed(HTTPError)
    }
}

/// The body of one request, and the position in it.
package struct Upload {
    package private(set) var source: UploadSource
    /// The number of bytes; nil if it is unknown, or if trailers follow them, which only a body in chunks can have.
    package let length: Int64?
    package let hasTrailers: Bool
    private var offset = 0

    package init(source: UploadSource, length: Int64?, hasTrailers: Bool = false) {
        self.source = source
        self.length = length
        self.hasTrailers = hasTrailers
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        switch source {
        case .data(let data): return .bytes(copy(data, into: buffer))
        case .file(let pump): return pump.read(into: buffer)
        case .stream(let pump): return pump.read(into: buffer)
        }
    }

    /// Passes the rest of a body in memory to `send`, which returns the number of bytes that it has sent, as this function does.
    package mutating func readBuffered(_ send: (UnsafeRawBufferPointer) -> Int) -> Int {
        guard case .data(let data) = source else { return 0 }
        let sent = data.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        offset += sent
        return sent
    }

    /// The number of bytes that a body in memory still has; nil for another body.
    package var bufferedRest: Int? { if case .data(let data) = source { data.count - offset } else { nil } }

    /// Returns the fields that follow the body, which has ended.
    package func takeTrailers() -> HTTPFields {
        if case .stream(let pump) = source { pump.takeTrailers() } else { [:] }
    }

    /// Returns to the first byte. Returns false if the body cannot be replayed.
    package mutating func rewind() -> Bool {
        switch source {
        case .data:
            offset = 0
            return true
        case .file(let pump):
            pump.rewind()
            return true
        case .stream: return false
        }
    }

    /// Stops the source and releases its bytes.
    package func close() {
        switch source {
        case .data: return
        case .file(let pump): pump.close()
        case .stream(let pump): pump.close()
        }
    }

    private mutating func copy(_ data: Data, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, data.count - offset)
        guard count > 0, let target = buffer.baseAddress else { return 0 }
        data.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { target.copyMemory(from: start + offset, byteCount: count) }
        }
        offset += count
        return count
    }

    /// Creates the upload of a request. Returns nil if the body is missing or empty and the method usually has none.
    package init?(_ request: borrowing HTTPRequest) throws(HTTPError) {
        let method = request.method, isExpected = method == .post || method == .put || method == .patch
        if request.body?.hasTrailers == true {
            // The stream makes the trailers after the last byte, before the engine asks for them.
            self.init(source: .stream(StreamPump(waitsToBeAsked: request.expectsContinue)), length: nil, hasTrailers: true)
            return
        }
        switch request.body?.storage {
        case .stream, .source:
            let pump = StreamPump(waitsToBeAsked: request.expectsContinue)
            self.init(source: .stream(pump), length: request.body?.length)
        case .data(let data) where !data.isEmpty: self.init(source: .data(data), length: Int64(data.count))
        case .file(let file) where file.length > 0: self.init(source: .file(FilePump(file)), length: file.length)
        // The engine then sends `Content-Length: 0` (RFC 9110 §8.6).
        case .data, .file, nil:
            guard isExpected else { return nil }
            self.init(source: .data(Data()), length: 0)
        }
    }
}

extension HTTPRequest {
    /// Whether the request waits for the server's permission to send its body (RFC 9110 §10.1.1): by the option, or by its own `Expect`
    /// field.
    package var expectsContinue: Bool { context.expectContinue != nil || headers.contains(.expect) }
}
