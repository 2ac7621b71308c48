#if !canImport(FoundationNetworking)
internal import CoreFoundation
internal import Dispatch
internal import Foundation
internal import MartletHTTP

/// Carries the chunks of a streamed request body to URLSession through a pair of bound streams, whose buffer limits the bytes in memory.
final class OutgoingStream: NSObject, StreamDelegate, @unchecked Sendable {
    // Proof: `rest`, `waiter` and `isOver` are used only on `queue`, where the stream's events are delivered too. So is `output`, except in
    // `open()`, before the first chunk is queued, and in `deinit`, when no work is left on `queue`. `input` is passed to URLSession before
    // the task starts, and only URLSession uses it.

    private static let bufferSize = 64 * 1024

    let input: InputStream
    private let output: OutputStream
    private let queue = DispatchQueue(label: "martlet.upload")
    private var rest = Data()
    private var waiter: UnsafeContinuation<Bool, Never>?
    private var isOver = false

    /// Creates a pair of bound streams, or streams without content if the system provides none.
    override init() {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: OutgoingStream.bufferSize, inputStream: &input, outputStream: &output)
        self.input = input ?? InputStream(data: Data())
        self.output = output ?? OutputStream(toMemory: ())
        super.init()
    }

    /// Reads `body` while a task sends the bytes. An error of the body, or a length other than the declared one, ends the exchange.
    ///
    /// The stream is closed only after a complete body. URLSession would send the end of the stream as the end of the body, and the server
    /// would take a truncated body for complete. Otherwise the stream stays open until the cancelled task has ended.
    static func start(_ body: HTTPBody, _ request: URLRequest, _ exchange: SessionExchange, in pool: SessionPool) {
        let stream = OutgoingStream()
        var request = request
        request.httpBodyStream = stream.input
        // Without it the body would be sent in chunks, which some servers reject.
        if let length = body.length { request.setValue(String(length), forHTTPHeaderField: "Content-Length") }
        stream.open()
        exchange.keep(stream)
        pool.start(exchange, request, .none)
        exchange.prepare(
            with: Task {
                do throws(HTTPError) {
                    if try await stream.send(body) { stream.close() }
                } catch { exchange.stop(error) }
            })
    }

    deinit {
        // The task has ended: no bytes are read and no events are delivered any more.
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
        output.delegate = nil
        output.close()
    }

    /// Whether the whole body was written.
    private func send(_ body: HTTPBody) async throws(HTTPError) -> Bool {
        var chunks = PromisedChunks(body)
        while let chunk = try await chunks.next() {
            guard await write(chunk) else { return false }
        }
        return true
    }

    private func open() {
        output.delegate = self
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue)
        output.open()
    }

    /// Ends the body.
    private func close() {
        queue.async { [self] in
            guard !isOver else { return }
            isOver = true
            output.close()
        }
    }

    /// Stops writing without ending the body.
    private func abandon() {
        queue.async { [self] in
            isOver = true
            let waiting = waiter.take()
            waiting?.resume(returning: false)
        }
    }

    /// Writes a chunk, and waits while URLSession does not read. Returns false if it will not be read.
    private func write(_ chunk: Data) async -> Bool {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                queue.async { [self] in
                    guard !isOver else { return continuation.resume(returning: false) }
                    rest = chunk
                    waiter = continuation
                    writeRest()
                }
            }
        } onCancel: {
            abandon()
        }
    }

    private func writeRest() {
        while !rest.isEmpty, output.hasSpaceAvailable {
            let written = rest.withUnsafeBytes { bytes -> Int in
                guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
                return output.write(start, maxLength: bytes.count)
            }
            guard written > 0 else { return abandon() }
            rest = rest.dropFirst(written)
        }
        guard rest.isEmpty else { return }
        let waiting = waiter.take()
        waiting?.resume(returning: true)
    }

    /// Handles the stream's events, on `queue`.
    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: writeRest()
        case .errorOccurred, .endEncountered: abandon()
        default: break
        }
    }
}
#endif
