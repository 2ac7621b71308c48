internal import MartletEssentials

/// Reads the body of a call and ends the call with the body.
final class CallBodyReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let end: @Sendable (HTTPError?) -> Void

    /// - Parameter end: Called at the end of the body, with the error if there was one. It may be called several times.
    init(_ reader: any HTTPBodyReader, _ ticket: CallTicket, end: @escaping @Sendable (HTTPError?) -> Void) {
        self.reader = reader
        self.end = end
        ticket.onCancel { reader.cancel(.cancelled(ErrorContext(stage: .body))) }
    }

    deinit { end(.cancelled(ErrorContext(stage: .body, detail: "the body was not read to its end"))) }

    func next() async throws(HTTPError) -> Data? {
        do throws(HTTPError) {
            let chunk = try await reader.next()
            if chunk == nil { end(nil) }
            return chunk
        } catch {
            end(error)
            throw error
        }
    }

    func skip(_ count: Int64) async throws(HTTPError) -> Int64 { try await reader.skip(count) }

    func cancel(_ reason: HTTPError) {
        reader.cancel(reason)
        end(reason)
    }
}

extension HTTPBody {
    /// Returns the body of a call that ends when the body is read to its end, fails or is dropped. A body in memory ends it immediately.
    func ending(_ ticket: CallTicket, _ end: @escaping @Sendable (HTTPError?) -> Void) -> HTTPBody {
        guard case .stream(let stream) = storage else {
            end(nil)
            return self
        }
        return HTTPBody(reader: CallBodyReader(stream.releaseReader(), ticket, end: end), length: length)
    }
}
