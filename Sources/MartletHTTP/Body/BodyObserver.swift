internal import MartletEssentials
internal import MartletSystem

/// Is told of a request's body as the transport takes it, for progress.
package struct BodyObserver: Sendable {
    /// The body begins to be sent, for the first time or again.
    package let began: @Sendable (_ length: Int64?) -> Void
    /// So many bytes have been taken.
    package let took: @Sendable (_ count: Int) -> Void

    package init(began: @escaping @Sendable (Int64?) -> Void, took: @escaping @Sendable (Int) -> Void) {
        self.began = began
        self.took = took
    }
}

extension RequestContext {
    /// Who is told of the body as it is sent; nil for nobody.
    package var bodyObserver: BodyObserver? {
        get { self[only: BodyObserver.self] }
        set { self[only: BodyObserver.self] = newValue }
    }
}

extension HTTPBody {
    /// The same bytes, and `observer` is told of them as they are taken.
    package func observed(by observer: BodyObserver) -> HTTPBody {
        let length = length
        let open: @Sendable (any HTTPBodyReader) -> any HTTPBodyReader = { reader in
            observer.began(length)
            return ObservedReader(reader, observer)
        }
        guard case .stream(let stream) = storage else {
            return HTTPBody(length: length) { () throws(HTTPError) in open(try reader()) }
        }
        // Sending one that has been read before says that it can't be.
        return stream.take() ? HTTPBody(reader: open(stream.releaseReader()), length: length) : self
    }
}

/// Tells of each chunk when the next is asked for: by then the transport has taken it.
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
