import Foundation
import Martlet

/// One connection of a server: what was read and is not understood yet, and what is to be written. Used by the server's thread alone.
struct ServerConnection {
    let descriptor: Int32
    let number: Int
    private var parser: RequestParser
    private var output: [UInt8] = []
    private var written = 0
    private var requestCount = 0
    private var closesAfterOutput = false
    /// The request that is being answered; no further one is taken up meanwhile.
    private(set) var answering: RecordedRequest?
    private(set) var isClosed = false

    init(descriptor: Int32, number: Int, limits: RequestParser.Limits) {
        self.descriptor = descriptor
        self.number = number
        parser = RequestParser(limits: limits)
    }

    var wantsToWrite: Bool { written < output.count }

    /// While an answer is under way only a little is read ahead, enough to see that the client has gone.
    var wantsToRead: Bool { !closesAfterOutput && (answering == nil && !wantsToWrite || parser.buffered < 64 * 1024) }

    /// Reads what has come.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) {
        switch Sockets.read(descriptor, into: buffer) {
        case .bytes(let count): parser.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .wouldBlock: break
        case .closed: isClosed = true
        }
    }

    /// The next request to be answered, if one is complete and none is under way.
    mutating func nextRequest() -> RecordedRequest? {
        while answering == nil, !wantsToWrite, !isClosed, !closesAfterOutput, let event = parser.next() {
            switch event {
            case .expectsContinue:
                output += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                flush()
            case .failure(let status, let why):
                var refused = RecordedRequest(method: .get, target: "", headers: [:])
                refused.connection = number
                answer(.text(why, status: status).closingConnection(), to: refused)
            case .request(var request):
                requestCount += 1
                request.connection = number
                request.isFirstOnConnection = requestCount == 1
                answering = request
                return request
            }
        }
        return nil
    }

    /// Takes up the answer to the request that waits for one.
    mutating func answer(_ reply: MockReply) {
        guard let request = answering else { return }
        answering = nil
        answer(reply, to: request)
    }

    /// Writes as much as the client takes; gives how much that was.
    @discardableResult
    mutating func flush() -> Int {
        let before = written
        while wantsToWrite, !isClosed {
            let outcome = output.withUnsafeBytes { Sockets.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...])) }
            switch outcome {
            case .bytes(let count): written += count
            case .wouldBlock: return written - before
            case .closed: isClosed = true
            }
        }
        let count = written - before
        if !wantsToWrite {
            output.removeAll(keepingCapacity: output.count <= 1 << 16)
            written = 0
            if closesAfterOutput { isClosed = true }
        }
        return count
    }

    private mutating func answer(_ reply: MockReply, to request: RecordedRequest) {
        let reply = ReplyBytes(reply, to: request)
        output += reply.bytes
        closesAfterOutput = reply.closes
        if output.isEmpty, closesAfterOutput { isClosed = true }
    }
}
