public import MartletEssentials

/// A recording that is played, or made when the test says so: one transport for both, so that a test need not know which.
///
/// ```swift
/// let cassette = try Cassette(at: file, mode: .environment(CurlTransport()))
/// let client = HTTPClient(baseURL: base, transport: cassette)
/// …
/// try await cassette.finish()
/// ```
///
/// It plays unless ``CassetteMode`` says something else. ``finish()`` writes what was recorded, or tells which entries were never played.
public final class Cassette: Transport {
    private enum Deck: Sendable {
        case player(ReplayTransport)
        case recorder(RecordingTransport)
    }

    private let deck: Deck

    /// A cassette at a file.
    ///
    /// Throws a ``HARError`` when the file that is to be played is missing or no HAR, and when none may be made here.
    ///
    /// - Parameters:
    ///   - file: the recording, a HAR file.
    ///   - mode: whether it is played or recorded. Default: played.
    ///   - rule: which entry a request is answered from.
    ///   - options: how it is recorded.
    ///   - time: what the dates and durations of a recording are taken from.
    ///   - environment: where the mode looks for variables. Default: the process's.
    public init(
        at file: URL, mode: CassetteMode = .replay, matching rule: MatchingRule = .strict, options: RecordingOptions = .init(),
        time: any TimeSource = .system, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HARError) {
        let isThere = FileManager.default.fileExists(atPath: file.path)
        if let transport = try mode.recorded(isThere: isThere, environment: environment, file: file.path) {
            deck = .recorder(RecordingTransport(wrapping: transport, to: file, options: options, time: time))
        } else {
            deck = .player(try ReplayTransport(contentsOf: file, matching: rule, time: time))
        }
    }

    /// Whether it records.
    public var isRecording: Bool { if case .recorder = deck { true } else { false } }

    /// That of the transport it records through; false when it plays.
    public var endsByDeadline: Bool { if case .recorder(let recorder) = deck { recorder.endsByDeadline } else { false } }

    /// The calls of the transport that it records, or of the replay.
    public var calls: CallGroup? {
        switch deck {
        case .player(let player): player.calls
        case .recorder(let recorder): recorder.calls
        }
    }

    /// Plays the answer of the entry that fits, or records that of the transport.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        switch deck {
        case .player(let player): try await player.send(request)
        case .recorder(let recorder): try await recorder.send(request)
        }
    }

    /// Ends the test's use of it: writes what was recorded, or throws ``HARError/unused(_:)`` when an entry has never been played.
    public func finish() async throws(HARError) {
        switch deck {
        case .player(let player): do { try player.verify() } catch { throw .unused(error) }
        case .recorder(let recorder): try await recorder.save()
        }
    }
}
