internal import MartletEssentials

/// Reads the body of a call and ends the call with the body.
final class CallBodyReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let ticket: CallTicket

    init(_ reader: any HTTPBodyReader, _ ticket: CallTicket) {
        self.reader = reader
        self.ticket = ticket
        ticket.onCancel { reader.cancel(.cancelled(ErrorContext(stage: .body))) }
    }

    deinit { ticket.end() }

    func next() async throws(HTTPError) -> Data? {
        do throws(HTTPError) {
            let chunk = try await reader.next()
            if chunk == nil { ticket.end() }
            return chunk
        } catch {
            ticket.end()
            throw error
        }
    }

    func skip(_ count: Int64) async throws(HTTPError) -> Int64 { try await reader.skip(count) }

    func cancel(_ reason: HTTPError) {
        reader.cancel(reason)
        ticket.end()
    }
}

extension HTTPBody {
    /// Returns the body of a call that ends when the body is read to its end, fails or is dropped. A body in memory ends it immediately.
    func ending(_ ticket: CallTicket) -> HTTPBody {
        guard case .stream(let stream) = storage else {
            ticket.end()
            return self
        }
        return HTTPBody(reader: CallBodyReader(stream.releaseReader(), ticket), length: length)
    }
}
