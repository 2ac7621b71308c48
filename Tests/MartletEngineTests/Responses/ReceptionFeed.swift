import Foundation
import MartletHTTP

@testable import MartletEngine

/// A reception and its parser, fed with lines and bytes as libcurl feeds a transfer.
struct ReceptionFeed {
    var reception: Reception
    var head = ResponseHead()
    var work = RoundBudget()
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// - Parameters:
    ///   - decodes: whether content codings are decoded.
    ///   - change: changes the request for the response.
    init(decodes: Bool = true, maxContentCodings: Int = 2, _ change: (inout HTTPRequest) -> Void = { _ in }) {
        var request = HTTPRequest(url: URL(string: "http://127.0.0.1/")!)
        change(&request)
        let upload = request.body == nil ? nil : Upload(source: .data(Data("abc".utf8)), length: 3)
        reception = Reception(
            Reception.Terms(
                request, sendsBody: upload != nil, expectsContinue: upload != nil && request.expectsContinue,
                maxContentCodings: maxContentCodings))
        reception.begin(decodes: decodes, into: BodyBuffer())
        head.reset(limit: request.context.limits.headBytes, fieldLimit: request.context.limits.fieldCount)
    }

    /// Receives lines, to which the line breaks are added, until an action stops the transfer. Returns the last action.
    @discardableResult
    mutating func lines(_ lines: String...) -> Reception.Action {
        var action = Reception.Action.proceed
        for line in lines {
            let progress = Array((line + "\r\n").utf8).withUnsafeBufferPointer { head.add($0) }
            action = reception.receive(progress, of: &head)
            if action == .stop || action == .respondAndStop { break }
        }
        return action
    }

    /// Receives bytes of a body that is collected.
    @discardableResult
    mutating func bytes(_ bytes: Data) -> Reception.Receipt { self.bytes(bytes, into: ScriptedStream?.none).receipt }

    /// Receives bytes of a body that goes to a stream, or of one that is collected.
    mutating func bytes(_ bytes: Data, into stream: ScriptedStream?) -> Reception.Received {
        bytes.withUnsafeBytes { reception.receive($0, intoSink: stream, within: &work, scratch: scratch) }
    }

    /// Receives a whole response without a body.
    static func ended(_ lines: String..., request: (inout HTTPRequest) -> Void = { _ in }) -> ReceptionFeed {
        var feed = ReceptionFeed(request)
        for line in lines { feed.lines(line) }
        return feed
    }

    /// Ends the exchange, and returns the error if there is one.
    mutating func error(after result: Result<Void, HTTPError> = .success(())) -> HTTPError? {
        do throws(HTTPError) {
            try reception.end(result).get()
            return nil
        } catch { return error }
    }
}

/// A stream whose reader has made room for a number of bytes.
final class ScriptedStream: BodySink {
    var space: Int
    var isAwaited = false
    private(set) var bytes = Data()

    init(room: Int) { space = room }

    func room() -> Int { space }

    func write(_ bytes: UnsafeRawBufferPointer) -> BodyPipe.Written {
        guard bytes.count <= space else { return .refused }
        space -= bytes.count
        self.bytes.append(contentsOf: bytes)
        return isAwaited ? .awaited : .stored
    }
}
