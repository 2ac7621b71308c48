internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// Where the bytes of a request's body come from, as libcurl asks for them on its thread.
enum UploadSource {
    case data(Data)
    /// A file, opened before its exchange takes a connection. ``FileOpenings`` limits the number of files that are open ahead.
    case file(FilePump)
    case stream(StreamPump)

    /// What a demand for bytes gave.
    enum Outcome {
        /// So many; none at the end.
        case bytes(Int)
        /// None yet: the source says when there are.
        case stalled
        case failed(HTTPError)
    }
}

/// The body of one request on its way out.
struct Upload {
    private(set) var source: UploadSource
    /// How many bytes there will be; nil when nobody knows.
    let length: Int64?
    private var offset = 0

    init(source: UploadSource, length: Int64?) {
        self.source = source
        self.length = length
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        switch source {
        case .data(let data): return .bytes(copy(data, into: buffer))
        case .file(let pump): return pump.read(into: buffer)
        case .stream(let pump): return pump.read(into: buffer)
        }
    }

    /// Goes back to the first byte; false when the body can't.
    mutating func rewind() -> Bool {
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

    /// Lets go of whatever makes the bytes.
    func close() {
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
            if let start = bytes.baseAddress { memcpy(target, start + offset, count) }
        }
        offset += count
        return count
    }
}

extension Upload {
    /// What there is to send; nil for a request without content, and without a method that usually has some.
    init?(_ request: HTTPRequest) throws(HTTPError) {
        let isExpected = request.method == .post || request.method == .put || request.method == .patch
        switch request.body?.storage {
        case .stream, .source:
            let pump = StreamPump(waitsToBeAsked: request.expectsContinue)
            self.init(source: .stream(pump), length: request.body?.length)
        case .data(let data) where !data.isEmpty: self.init(source: .data(data), length: Int64(data.count))
        case .file(let file) where file.length > 0: self.init(source: .file(FilePump(file)), length: file.length)
        // Says `Content-Length: 0` (RFC 9110 §8.6).
        case .data, .file, nil:
            guard isExpected else { return nil }
            self.init(source: .data(Data()), length: 0)
        }
    }

    /// Whether libcurl asks before it sends the body a second time, so that it can be refused.
    ///
    /// It does not ask for a body without bytes, and resends a head whose body had not begun to come: such go on fresh connections.
    var isAskedForAgain: Bool {
        if case .stream = source { return false }
        return length != 0
    }
}
