internal import MartletEssentials
internal import MartletSystem

/// Observes a request's body as the transport reads it, for progress reports.
package struct BodyObserver: Sendable {
    /// Called when sending begins, for the first time or again.
    package let began: @Sendable (_ length: Int64?) -> Void
    /// Called when the transport has taken this many more bytes.
    package let took: @Sendable (_ count: Int) -> Void

    package init(began: @escaping @Sendable (Int64?) -> Void, took: @escaping @Sendable (Int) -> Void) {
        self.began = began
        self.took = took
    }
}

extension RequestContext {
    /// The observer of the request body, or nil.
    package var bodyObserver: BodyObserver? {
        get { self[only: BodyObserver.self] }
        set { self[only: BodyObserver.self] = newValue }
    }
}

extension HTTPBody {
    /// Returns a body with the same bytes that reports to `observer` as they are taken.
    package func observed(by observer: BodyObserver) -> HTTPBody {
        let length = length
        let open: @Sendable (any HTTPBodyReader) -> any HTTPBodyReader = { reader in
            observer.began(length)
            return ObservedReader(reader, observer)
        }
        guard case .stream(let stream) = storage else {
            return HTTPBody(length: length) { () throws(HTTPError) in open(try reader()) }.withTrailers(of: self)
        }
        // A stream that has been read stays unchanged: sending it fails with an error that says so.
        return stream.take() ? HTTPBody(reader: open(stream.releaseReader()), length: length).withTrailers(of: self) : self
    }
}

/// Reports each chunk when the next one is requested: by then the transport has taken it.
private final class ObservedReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let observer: BodyObserver
    private let given = Locked(0)

    init(_ reader: any HTTPBodyReader, _ observer: BodyObserver) {
        self.reader = reader
        self.observer = observer
    }

    func next() async throws(HTTPError) -> Data? {
        let taken = given.withLock { exchange(&$0, with: 0) }
        if taken > 0 { observer.took(taken) }
        let chunk = try await reader.next()
        given.withLock { $0 = chunk?.count ?? 0 }
        return chunk
    }

    func cancel(_ reason: HTTPError) { reader.cancel(reason) }
}
