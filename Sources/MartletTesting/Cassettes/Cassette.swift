public import MartletEssentials

/// A transport that replays a recording from a file, or creates it if the test says so. The code of the test is the same for both.
///
/// ```swift
/// let cassette = try Cassette(at: file, mode: .environment(CurlTransport()))
/// let client = HTTPClient(baseURL: base, transport: cassette)
/// …
/// try await cassette.finish()
/// ```
///
/// It replays unless ``CassetteMode`` says otherwise. ``finish()`` writes the recording, or throws if entries were never replayed.
public final class Cassette: Transport {
    private enum Deck: Sendable {
        case player(ReplayTransport)
        case recorder(RecordingTransport)
    }

    private let deck: Deck

    /// Creates a cassette that replays or records a file, as its mode says.
    ///
    /// - Parameters:
    ///   - file: The recording, a HAR file.
    ///   - mode: Whether to replay or record. Default: replay.
    ///   - rule: The rule that matches requests to recorded entries.
    ///   - options: How to record.
    ///   - time: The clock for the dates and durations of a recording.
    ///   - environment: The variables for the mode. Default: those of the process.
    /// - Throws: ``CassetteError/recording(_:)`` if the file to replay is missing or not a HAR, and ``CassetteError/recordingRefused(_:)``
    ///   if recording is not allowed here.
    public init(
        at file: URL, mode: CassetteMode = .replay, matching rule: MatchingRule = .strict, options: RecordingOptions = .init(),
        time: any TimeSource = .system, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CassetteError) {
        let isThere = FileManager.default.fileExists(atPath: file.path)
        if let transport = try mode.recorded(isThere: isThere, environment: environment, file: file.path) {
            deck = .recorder(RecordingTransport(wrapping: transport, to: file, options: options, time: time))
        } else {
            do { deck = .player(try ReplayTransport(contentsOf: file, matching: rule, time: time)) } catch { throw .recording(error) }
        }
    }

    /// Whether the cassette records, and does not replay.
    public var isRecording: Bool { if case .recorder = deck { true } else { false } }

    /// Whether the transport that it records through ends an exchange at its deadline; false while replaying.
    public var endsByDeadline: Bool { if case .recorder(let recorder) = deck { recorder.endsByDeadline } else { false } }

    /// The group of the running calls of the clients over the cassette, which is that of the transport it records through.
    public var calls: CallGroup? {
        switch deck {
        case .player(let player): player.calls
        case .recorder(let recorder): recorder.calls
        }
    }

    /// Returns the response of the matching entry while replaying, or sends the request and records the exchange.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        switch deck {
        case .player(let player): try await player.send(request)
        case .recorder(let recorder): try await recorder.send(request)
        }
    }

    /// Writes the recording, or while replaying throws ``CassetteError/unused(_:)`` if an entry was never used. Call it at the end of the
    /// test.
    public func finish() async throws(CassetteError) {
        switch deck {
        case .player(let player): do { try player.verify() } catch { throw .unused(error) }
        case .recorder(let recorder): do { try await recorder.save() } catch { throw .recording(error) }
        }
    }
}
