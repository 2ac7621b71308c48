#if !canImport(FoundationNetworking)
internal import CoreFoundation
internal import Dispatch
internal import Foundation
internal import MartletHTTP

/// Carries the chunks of a streamed request body to URLSession through a pair of bound streams, whose buffer bounds what is under way.
final class OutgoingStream: NSObject, StreamDelegate, @unchecked Sendable {
    // Proof: `rest`, `waiter` and `isOver` are used on `queue` only, where the stream's events are delivered too. So is `output`, except in
    // `open()`, before the first chunk is queued, and in `deinit`, when no work on `queue` is left. `input` goes to URLSession before the
    // task starts, and only URLSession uses it.

    private static let bufferSize = 64 * 1024

    let input: InputStream
    private let output: OutputStream
    private let queue = DispatchQueue(label: "martlet.upload")
    private var rest = Data()
    private var waiter: UnsafeContinuation<Bool, Never>?
    private var isOver = false

    /// A pair of streams; nil when the system gives none.
    override init() {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: OutgoingStream.bufferSize, inputStream: &input, outputStream: &output)
        self.input = input ?? InputStream(data: Data())
        self.output = output ?? OutputStream(toMemory: ())
        super.init()
    }

    /// Reads `body` while a task sends what was read. A body that fails, or is not as long as it promised, ends the exchange.
    ///
    /// The stream is closed only behind a body that is whole: its end would be sent as the end of the body, and the server would take
    /// what has come for all. Otherwise it stays open until the task, which is cancelled, has ended and the exchange lets go of it.
    static func start(_ body: HTTPBody, _ request: URLRequest, _ exchange: SessionExchange, in pool: SessionPool) {
        let stream = OutgoingStream()
        var request = request
        request.httpBodyStream = stream.input
        // Else it would be sent in chunks, which some servers refuse.
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
        // After the task: nobody reads any more, and nothing is delivered.
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

    /// Says that the body ends here.
    private func close() {
        queue.async { [self] in
            guard !isOver else { return }
            isOver = true
            output.close()
        }
    }

    /// Writes nothing more, and says nothing.
    private func abandon() {
        queue.async { [self] in
            isOver = true
            let waiting = waiter.take()
            waiting?.resume(returning: false)
        }
    }

    /// Writes a chunk, waiting while the other side does not read; false when it never will.
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

    /// The stream's events, on `queue`.
    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: writeRest()
        case .errorOccurred, .endEncountered: abandon()
        default: break
        }
    }
}
#endif
