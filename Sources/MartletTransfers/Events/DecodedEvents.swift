internal import MartletEssentials

/// Reads the values in the data of a stream's events.
struct DecodedEvents<Element: Decodable & Sendable> {
    private let target: EventTarget
    private var loop: EventLoop?
    private var head = HTTPResponse(status: .ok, body: ())

    private init(_ target: EventTarget, _ reading: ObservedReading) {
        self.target = target
        loop = EventLoop(target, reading)
    }

    /// Returns the sequence of the values.
    static func sequence<Failure: Error>(
        _ target: EventTarget, failure: @escaping @Sendable (HTTPError) -> Failure
    ) -> ValueSequence<Element, Failure> {
        ValueSequence {
            let reading = ObservedReading(target.observe)
            var events = DecodedEvents(target, reading)
            return { () async throws(Failure) in
                do throws(HTTPError) {
                    return try await reading.next { () async throws(HTTPError) in try await events.next() }
                } catch { throw failure(error) }
            }
        }
    }

    mutating func next() async throws(HTTPError) -> Element? {
        while let event = try await event() {
            do throws(HTTPError) { return try value(of: event) } catch {
                if target.options.skipsUndecodable { continue }
                // Releases the connection, which closes it.
                loop = nil
                throw error
            }
        }
        return nil
    }

    private mutating func event() async throws(HTTPError) -> ServerSentEvent? {
        if let event = loop?.arrivedEvent() { return event }
        while let signal = try await loop?.next() {
            switch signal {
            case .open(let response): head = response
            case .event(let event): return event
            default: break
            }
        }
        return nil
    }

    private func value(of event: ServerSentEvent) throws(HTTPError) -> Element {
        let response = head.map { _ in Data(event.data.utf8) }
        do { return try ResponseDecoding<Element>.decodable.value(of: response, with: target.decoder).body } catch {
            throw error.completed(ifKnown: response.metadata.request, stage: .decoding)
        }
    }
}
