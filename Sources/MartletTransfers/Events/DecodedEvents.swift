internal import MartletEssentials

/// Reads the values in the data of a stream's events.
struct DecodedEvents<Element: Decodable & Sendable> {
    private let target: EventTarget
    private var loop: ReconnectingLoop<EventSource>?

    private init(_ target: EventTarget, _ reading: ObservedReading) {
        self.target = target
        loop = ReconnectingLoop<EventSource>(target, reading)
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
        while let event = try await loop?.nextEvent(), let head = loop?.source.head {
            do throws(HTTPError) { return try value(of: event, head) } catch {
                if target.options.skipsUndecodable { continue }
                // Releases the connection, which closes it.
                loop = nil
                throw error
            }
        }
        return nil
    }

    private func value(of event: ServerSentEvent, _ head: HTTPResponse<Void>) throws(HTTPError) -> Element {
        let response = head.map { _ in Data(event.data.utf8) }
        do { return try ResponseDecoding<Element>.decodable.value(of: response, with: target.decoder).body } catch {
            throw error.completed(ifKnown: response.metadata.request, stage: .decoding)
        }
    }
}
