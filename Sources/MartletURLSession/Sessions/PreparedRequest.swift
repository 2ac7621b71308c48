internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A validated request and body in URLSession's types.
struct PreparedRequest: Sendable {
    private let request: URLRequest
    private let body: UploadBody
    /// Whether the request must use a new connection, because FoundationNetworking could send it twice otherwise.
    private let isFragile: Bool

    init(_ request: HTTPRequest) throws(HTTPError) {
        var wanted = try URLRequest(withoutBodyOf: request)
        body = try UploadBody(request.body)
        #if canImport(FoundationNetworking)
        isFragile = request.body != nil || !request.isIdempotent
        // No other request will use the connection.
        if isFragile { wanted.setValue("close", forHTTPHeaderField: "Connection") }
        #else
        isFragile = false
        #endif
        self.request = wanted
    }

    /// Starts the request in a session. A streamed body is read first (on Linux) or meanwhile (on Apple platforms).
    func start(_ exchange: SessionExchange, in pool: SessionPool, buffers: URLSessionTransport.Buffers) {
        guard case .chunks(let chunks) = body else { return pool.start(exchange, request, body, isFragile: isFragile) }
        #if canImport(FoundationNetworking)
        let (request, isFragile) = (request, isFragile)
        exchange.prepare(
            with: Task {
                do throws(HTTPError) {
                    let file = try await SpooledFile.write(chunks, limit: buffers.spooled)
                    pool.start(exchange, request, .file(file.url), upload: file, isFragile: isFragile)
                } catch { exchange.stop(error) }
            })
        #else
        OutgoingStream.start(chunks, request, exchange, in: pool)
        #endif
    }
}

/// The request body of a task.
enum UploadBody: Sendable {
    case none
    case data(Data)
    /// An existing file.
    case file(URL)
    /// Chunks, sent as they are read (on Apple platforms) or after all have been read (on Linux).
    case chunks(HTTPBody)

    init(_ body: HTTPBody?) throws(HTTPError) {
        guard let body else {
            self = .none
            return
        }
        switch body.storage {
        case .data(let data): self = data.isEmpty ? .none : .data(data)
        case .file(let file) where file.length <= 0: self = .none
        case .file(let file):
            let size = try file.currentSize()
            // Only the declared bytes of a file are sent, chunk by chunk, even if the file has grown.
            self = size == file.length && file.start == 0 ? .file(URL(fileURLWithPath: file.path)) : .chunks(body)
        case .stream, .source: self = .chunks(body)
        }
    }
}
