internal import MartletEssentials

/// The values in the data of a stream's events: what `events(_:as:options:)` returns.
///
/// It reads as ``EventSequence`` does. Data that can't be decoded throws `.decodingFailed`, whose response has the data as its body, and
/// ends the sequence, unless ``EventOptions/skipsUndecodable`` leaves it out.
public struct DecodedEventSequence<Element: Decodable & Sendable, Failure: Error>: AsyncSequence, Sendable {
    let target: EventTarget
    let failure: @Sendable (HTTPError) -> Failure

    /// The values, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let target: EventTarget
        private let failure: @Sendable (HTTPError) -> Failure
        private var loop: EventLoop?
        private var head = HTTPResponse(status: .ok, body: ())

        fileprivate init(_ events: DecodedEventSequence) {
            target = events.target
            failure = events.failure
            loop = EventLoop(target)
        }

        /// Returns the next value, or nil at the end.
        public mutating func next() async throws(Failure) -> Element? {
            do throws(HTTPError) { return try await nextValue() } catch { throw failure(error) }
        }

        private mutating func nextValue() async throws(HTTPError) -> Element? {
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
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
