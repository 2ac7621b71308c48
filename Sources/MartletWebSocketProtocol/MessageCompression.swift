internal import MartletCodings
internal import MartletEssentials

/// Compresses the messages that one side sends (RFC 7692 §7.2.1).
struct MessageDeflater {
    private let direction: PermessageDeflate.Direction
    private let minBytes: Int
    /// The window of the messages so far. It is released after each message if the next one must not refer to it.
    private var stream: DeflateStream?

    init(_ direction: PermessageDeflate.Direction, minBytes: Int) {
        self.direction = direction
        self.minBytes = minBytes
    }

    /// Returns the compressed form of a message; nil for one that is to be sent as it is.
    mutating func compress(_ message: UnsafeRawBufferPointer) -> Data? {
        guard direction.canCompress, !message.isEmpty, message.count >= minBytes else { return nil }
        guard let stream = stream ?? (try? DeflateStream(compressingWith: direction.windowBits)) else { return nil }
        var output = Data(capacity: message.count / 2 + 16)
        do throws(DeflateStream.Fault) { try stream.compress(message, into: &output) } catch {
            // The peer's window lacks this message, and later ones must not refer to it.
            self.stream = nil
            return nil
        }
        self.stream = direction.keepsContext ? stream : nil
        return output
    }
}

/// Expands the messages of the peer piece by piece (RFC 7692 §7.2.2), up to the limit of a message.
struct MessageInflater {
    private let direction: PermessageDeflate.Direction
    private let limit: Int
    private var stream: DeflateStream?

    init(_ direction: PermessageDeflate.Direction, limit: Int) {
        self.direction = direction
        self.limit = limit
    }

    /// Appends what a piece of a message expands to, and returns the violation after it.
    mutating func expand(_ piece: UnsafeRawBufferPointer, into content: inout Data) -> WebSocketViolation? {
        do throws(DeflateStream.Fault) {
            if stream == nil { stream = try DeflateStream(expandingWith: direction.windowBits) }
            try stream?.expand(piece, into: &content, limit: limit)
        } catch { return violation(error) }
        return nil
    }

    /// Appends what the end of the message expands to, and returns the violation in it.
    mutating func finish(into content: inout Data) -> WebSocketViolation? {
        do throws(DeflateStream.Fault) { try stream?.finishExpanding(into: &content, limit: limit) } catch { return violation(error) }
        if !direction.keepsContext { stream = nil }
        return nil
    }

    private func violation(_ fault: DeflateStream.Fault) -> WebSocketViolation {
        fault == .tooLarge ? .tooLarge(limit: limit) : .invalidCompression
    }
}
