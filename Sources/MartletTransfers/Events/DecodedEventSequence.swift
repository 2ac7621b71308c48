internal import MartletEssentials

/// The values in the data of a stream's events: what `events(as:_:options:)` gives.
///
/// It reads as ``EventSequence`` does. Data that can't be decoded throws `.decodingFailed`, whose response has the data as its body, and
/// ends the sequence, unless ``EventOptions/skipsUndecodable`` leaves it out.
public struct DecodedEventSequence<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    let target: EventTarget

    /// The values, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let target: EventTarget
        private var loop: EventLoop?
        private var head = HTTPResponse(status: .ok, body: ())

        fileprivate init(_ target: EventTarget) {
            self.target = target
            loop = EventLoop(target)
        }

        /// The next value; nil at the end.
        public mutating func next() async throws(HTTPError) -> Element? {
            while let signal = try await loop?.next() {
                switch signal {
                case .open(let response): head = response
                case .event(let event):
                    do throws(HTTPError) { return try value(of: event) } catch {
                        if target.options.skipsUndecodable { continue }
                        // Lets go of the connection, and so closes it.
                        loop = nil
                        throw error
                    }
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

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(target) }
}
