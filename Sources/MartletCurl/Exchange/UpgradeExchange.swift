internal import MartletEssentials
internal import MartletHTTP

/// The head of a request that asks for an upgrade, as its bytes on the connection (RFC 9112 §3).
struct UpgradeRequestHead {
    let bytes: [UInt8]

    /// Throws `.invalidRequest` unless the request is a GET without a body.
    ///
    /// - Parameter url: the text of the request's URL, without user information.
    init(_ request: borrowing HTTPRequest, url: String) throws(HTTPError) {
        guard request.method == .get, request.body == nil else {
            throw .invalidRequest("only a GET request without a body can ask for an upgrade of its connection")
        }
        var bytes = Array("GET ".utf8)
        bytes.append(contentsOf: url.requestTarget)
        bytes.append(contentsOf: " HTTP/1.1\r\n".utf8)
        if !request.headers.contains(.host) {
            // The origin as text is its scheme and its host, without a default port.
            let origin = request.origin?.description ?? url.originPart
            bytes.append(contentsOf: "Host: ".utf8)
            bytes.append(contentsOf: origin.utf8.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") })
            bytes.append(contentsOf: "\r\n".utf8)
        }
        request.headers.forEachLineOfBytes { name, value in
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: ": ".utf8)
            bytes.append(contentsOf: value)
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        self.bytes = bytes
    }
}

extension String {
    /// The path and the query of a URL (RFC 9112 §3.2.1).
    fileprivate var requestTarget: [UInt8] {
        let whole = utf8.prefix { $0 != UInt8(ascii: "#") }
        let slash = UInt8(ascii: "/")
        let authority = whole.drop { $0 != slash }.dropFirst(2)
        let target = authority.drop { $0 != slash && $0 != UInt8(ascii: "?") }
        return target.first == slash ? Array(target) : [slash] + target
    }
}

/// Reads the response to a request for an upgrade from the bytes of its connection. A value without I/O.
///
/// libcurl has only opened the connection. What the response means is decided by the same ``ResponseHead`` and ``Reception`` as for other
/// requests.
struct UpgradeResponse {
    /// What has become of the response.
    enum Progress: Hashable {
        case more
        /// The response is 101. The bytes from this position on belong to the upgraded connection.
        case switched(end: Int)
        /// The reception has the response, or an error.
        case complete
    }

    private enum Framing {
        /// Within the head.
        case none
        case length(Int64)
        case chunks(ChunkedBody)
        case untilClose
    }

    /// A line of the head whose end has not arrived.
    private var line: [UInt8] = []
    private var framing = Framing.none
    private var work = RoundBudget()

    /// Whether the end of the connection completes the response.
    var endsWithConnection: Bool { if case .untilClose = framing { true } else { false } }

    /// Receives bytes in the order in which they arrive.
    mutating func receive(
        _ bytes: UnsafeBufferPointer<UInt8>, _ head: inout ResponseHead, _ reception: inout Reception
    ) -> Progress {
        var rest = bytes[...]
        while case .none = framing {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                line.append(contentsOf: rest)
                // The head refuses a line that exceeds its limit.
                guard line.count > reception.terms.limits.headBytes else { return .more }
                return receive(line, &head, &reception) ? .more : .complete
            }
            line.append(contentsOf: rest[...end])
            rest = rest[(end + 1)...]
            guard receive(line, &head, &reception) else { return .complete }
            line.removeAll(keepingCapacity: true)
            guard head.isComplete else { continue }
            if reception.status.rawValue == 101 { return .switched(end: rest.startIndex) }
            guard beginBody(&reception) else { return .complete }
        }
        return receiveBody(UnsafeBufferPointer(rebasing: rest), &reception)
    }

    /// Returns whether the reception wants more.
    private func receive(_ line: [UInt8], _ head: inout ResponseHead, _ reception: inout Reception) -> Bool {
        let action = line.withUnsafeBufferPointer { reception.receive(head.add($0), of: &head) }
        return action == .proceed && !reception.isOver
    }

    /// Determines the length of the body (RFC 9112 §6.3). Returns false if there is none.
    private mutating func beginBody(_ reception: inout Reception) -> Bool {
        guard !reception.status.forbidsContent else { return false }
        if reception.headers.contains(.transferEncoding) {
            let isChunked = reception.headers[.transferEncoding].map { $0.equalsIgnoringCase("chunked") } ?? false
            framing = isChunked ? .chunks(ChunkedBody()) : .untilClose
            return true
        }
        do throws(HTTPError) {
            guard let length = try reception.headers.declaredContentLength() else {
                framing = .untilClose
                return true
            }
            framing = .length(length)
            return length > 0
        } catch {
            reception.fail(error)
            return false
        }
    }

    private mutating func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>, _ reception: inout Reception) -> Progress {
        switch framing {
        case .none: return .more
        case .untilClose: return store(bytes, &reception) ? .more : .complete
        case .length(let left):
            let part = UnsafeBufferPointer(rebasing: bytes.prefix(Int(clamping: left)))
            framing = .length(left - Int64(part.count))
            return store(part, &reception) && left > part.count ? .more : .complete
        case .chunks(var body):
            var rest = bytes[...]
            do throws(ChunkedBody.Malformed) {
                while let part = try body.takePart(of: &rest) {
                    guard store(UnsafeBufferPointer(rebasing: part), &reception) else { return .complete }
                }
            } catch {
                let context = ErrorContext(stage: .body)
                reception.fail(.invalidResponse(Explanation("the chunks of the body are malformed (RFC 9112 §7.1)", context: context)))
            }
            framing = .chunks(body)
            return body.isComplete || reception.isOver ? .complete : .more
        }
    }

    /// Returns whether the reception wants more.
    private mutating func store(_ bytes: UnsafeBufferPointer<UInt8>, _ reception: inout Reception) -> Bool {
        guard !bytes.isEmpty else { return true }
        work.begin()
        let received = reception.receive(
            UnsafeRawBufferPointer(bytes), into: BodyPipe?.none, within: &work,
            scratch: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        return received.receipt == .taken
    }
}

/// The framing of a body in chunks (RFC 9112 §7.1). Extensions and trailers are skipped.
struct ChunkedBody {
    struct Malformed: Error {}

    /// The maximum number of bytes of all lines of sizes and trailers that carry nothing, which keeps a server from sending them forever.
    static let maxSkipped = 1 << 20

    private enum State {
        /// In the digits of a size.
        case size(UInt64, digits: Int)
        /// After the digits, up to the end of the line.
        case afterSize(UInt64)
        case content(UInt64)
        /// The end of the line after the content.
        case afterContent
        /// In the trailers, in a line with so many bytes.
        case trailers(Int)
        case complete
    }

    private var state = State.size(0, digits: 0)
    private var skipped = 0

    var isComplete: Bool { if case .complete = state { true } else { false } }

    /// Removes framing, and returns the next piece of content; nil if there is none, because all bytes are read or the body is complete.
    mutating func takePart(
        of bytes: inout Slice<UnsafeBufferPointer<UInt8>>
    ) throws(Malformed) -> Slice<UnsafeBufferPointer<UInt8>>? {
        while let byte = bytes.first, !isComplete {
            if case .content(let left) = state {
                let part = bytes.prefix(Int(clamping: left))
                bytes = bytes.dropFirst(part.count)
                state = left > UInt64(part.count) ? .content(left - UInt64(part.count)) : .afterContent
                return part
            }
            bytes = bytes.dropFirst()
            skipped += 1
            guard skipped <= ChunkedBody.maxSkipped else { throw Malformed() }
            try read(byte)
        }
        return nil
    }

    private mutating func read(_ byte: UInt8) throws(Malformed) {
        let isEnd = byte == UInt8(ascii: "\n"), isReturn = byte == UInt8(ascii: "\r")
        switch state {
        case .size(let size, let digits):
            if let digit = Character(UnicodeScalar(byte)).hexDigitValue {
                guard digits < 15 else { throw Malformed() }
                state = .size(size << 4 | UInt64(digit), digits: digits + 1)
            } else {
                guard digits > 0, isEnd || isReturn || Token.isWhitespace(byte) || byte == UInt8(ascii: ";") else { throw Malformed() }
                state = .afterSize(size)
                if isEnd { try read(byte) }
            }
        case .afterSize(let size):
            guard isEnd else { return }
            if size > 0 { skipped = 0 }
            state = size > 0 ? .content(size) : .trailers(0)
        case .afterContent:
            guard isEnd || isReturn else { throw Malformed() }
            if isEnd { state = .size(0, digits: 0) }
        case .trailers(let length):
            if isEnd {
                state = length == 0 ? .complete : .trailers(0)
            } else if !isReturn {
                state = .trailers(length + 1)
            }
        case .content, .complete: break
        }
    }
}
