internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// The body's way from libcurl's callback to memory or to a reader.
extension Transfer {
    /// Bytes of the body have come.
    func receive(_ bytes: UnsafeRawBufferPointer, scratch: UnsafeMutableRawBufferPointer) -> Received {
        guard let decoder else { return store(bytes) }
        var received = Received()
        var input = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(decodedOfOffer))
        do throws(ContentDecoder.Fault) {
            while true {
                // Nothing is decoded that could not be stored.
                let room = pipe?.room() ?? scratch.count
                guard room > 0 else {
                    decodedOfOffer = bytes.count - input.count
                    received.isRefused = true
                    return received
                }
                let count = try decoder.read(from: &input, into: UnsafeMutableRawBufferPointer(rebasing: scratch.prefix(room)))
                if count == 0 { break }
                received.add(store(UnsafeRawBufferPointer(rebasing: scratch[..<count])))
                if received.isRefused { return received }
            }
        } catch {
            failure = broken(error)
            received.isRefused = true
        }
        decodedOfOffer = max(0, decodedOfOffer - bytes.count)
        return received
    }

    private func store(_ bytes: UnsafeRawBufferPointer) -> Received {
        if let pipe { return Received(pipe.write(bytes)) }
        if let cut, body.count + bytes.count > cut {
            isCut = true
            return Received(.refused)
        }
        guard body.count + bytes.count <= limits.bodyBytes else {
            failure = .responseTooLarge(SizeLimitFailure(.body, limit: limits.bodyBytes))
            return Received(.refused)
        }
        if let start = bytes.baseAddress { body.append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count) }
        return Received(.stored)
    }

    func broken(_ fault: ContentDecoder.Fault) -> HTTPError {
        .invalidResponse(Explanation(fault.description, context: ErrorContext(stage: .body, underlying: fault)))
    }
}

extension HTTPRequest {
    /// Whether it asks the server before it sends its body (RFC 9110 §10.1.1): by the option, or by a field of its own.
    var expectsContinue: Bool { context.expectContinue != nil || headers.contains(.expect) }
}

/// What became of bytes of a body.
struct Received {
    /// They must be offered again, or the transfer has failed.
    var isRefused = false
    /// A reader waits for what was stored.
    var isAwaited = false

    init() {}

    init(_ written: BodyPipe.Written) {
        isRefused = written == .refused
        isAwaited = written == .awaited
    }

    mutating func add(_ other: Received) {
        isRefused = other.isRefused
        isAwaited = isAwaited || other.isAwaited
    }
}
