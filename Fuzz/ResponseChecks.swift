import Foundation
import MartletHTTP

@testable import MartletEngine

/// Checks the reader of HTTP/1.1 responses with bytes from a server that may be hostile.
enum ResponseChecks {
    /// What a response is.
    private struct Outcome: Equatable {
        var step = ""
        var status = 0
        var headers = HTTPFields()
        var body = Data()
        var trailers = HTTPFields()
        var error: HTTPError?
        /// The number of bytes after the response.
        var rest = 0
    }

    private static func outcome(_ bytes: [UInt8], pieces size: Int, _ method: HTTPMethod) -> Outcome {
        var request = HTTPRequest(method: method, url: URL(string: "http://a.example/")!)
        request.context.limits.headBytes = 1_000
        request.context.limits.fieldCount = 20
        request.context.limits.bodyBytes = 2_000
        var reception = Reception(Reception.Terms(request, sendsBody: false, expectsContinue: false, maxContentCodings: 2))
        reception.begin(decodes: true, into: BodyBuffer())
        var head = ResponseHead(), reader = ResponseReader(), work = RoundBudget()
        head.reset(limit: 1_000, fieldLimit: 20, isHTTP1: true)
        var outcome = Outcome(step: "more"), left = bytes[...]
        while !left.isEmpty {
            let piece = Array(left.prefix(size))
            left = left.dropFirst(size)
            let (step, unread) = withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { scratch in
                piece.withUnsafeBufferPointer { piece -> (ResponseReader.Step, Int) in
                    var rest = piece[...]
                    while true {
                        work.begin()
                        let before = rest.count
                        let step = reader.read(&rest, &head, &reception, into: nil, within: &work, scratch: scratch)
                        promise(rest.count <= before, "bytes were unread")
                        switch step {
                        case .head(.proceed): continue
                        case .paused: reception.beginTurn()
                        default: return (step, rest.count)
                        }
                    }
                }
            }
            outcome.step = "\(step)"
            guard step == .more else {
                outcome.rest = unread + left.count
                break
            }
        }
        outcome.status = reception.status.rawValue
        outcome.headers = reception.headers
        if case .failed(let error) = reception.state {
            outcome.error = error
            outcome.rest = 0
        }
        outcome.trailers = head.isComplete ? head.takeFields() : HTTPFields()
        if case .success = reception.end(.success(())) { outcome.body = reception.takeBody() }
        return outcome
    }

    static func response(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let method: HTTPMethod = first & 1 == 0 ? .get : .head, input = Array(bytes.dropFirst())
        let whole = outcome(input, pieces: max(1, input.count), method)
        let divided = outcome(input, pieces: 1 + Int(first >> 1) % 17, method)
        // A decoder may find a coded body corrupt before or after it has made as many bytes as the limit.
        let isCoded = String(decoding: input, as: UTF8.self).lowercased().contains("content-encoding")
        promise(divided == whole || isCoded && divided.error != nil && whole.error != nil, "the pieces make a difference: \(whole)")
        promise(whole.body.count <= 2_000, "the body exceeds its limit")
        if whole.step == "complete" {
            promise((100...999).contains(whole.status) && whole.status >= 200, "a response with the status \(whole.status)")
            if method == .head || whole.status == 204 || whole.status == 304 { promise(whole.body.isEmpty, "a body where none is allowed") }
        }
    }
}
