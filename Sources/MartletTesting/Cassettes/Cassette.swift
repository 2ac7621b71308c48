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

    /// Whether the transport that it records through opens WebSockets; false while replaying.
    public var opensWebSockets: Bool { if case .recorder(let recorder) = deck { recorder.opensWebSockets } else { false } }

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

/// Whether a ``Cassette`` replays or records.
///
/// Nothing is recorded by default or because of the machine that runs the test. Only ``record(_:)`` always records; the other recording
/// modes require a missing file or an environment variable.
public enum CassetteMode: Sendable {
    /// Replays the file, and never records; a missing file is an error.
    case replay
    /// Always records through the given transport, and replaces an existing file.
    case record(any Transport)
    /// Replays the file if it exists, and otherwise records it through the given transport, for the first run of a new test.
    ///
    /// If the environment variable `CI` is set (and not empty, `0` or `false`), a missing file is an error. Most continuous integration
    /// services set it.
    case replayOrRecord(any Transport)
    /// Replays the file, or records it through the given transport if an environment variable says so. With `1` or `all` it records a new
    /// file, and with `missing` it is like ``replayOrRecord(_:)``.
    ///
    ///     MARTLET_RECORD=1 swift test --filter UserTests
    case environment(any Transport, variable: String = "MARTLET_RECORD")

    /// Returns the transport to record through, or nil to replay.
    func recorded(isThere: Bool, environment: [String: String], file: String) throws(CassetteError) -> (any Transport)? {
        switch self {
        case .replay: return nil
        case .record(let transport): return transport
        case .replayOrRecord(let transport):
            if isThere { return nil }
            guard ["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "") else {
                throw .recordingRefused(
                    "there is no recording at \(file), and none is made because CI is set: record it on another machine")
            }
            return transport
        case .environment(let transport, let variable):
            switch environment[variable]?.lowercased() {
            case "1", "all": return transport
            case "missing":
                return try CassetteMode.replayOrRecord(transport).recorded(isThere: isThere, environment: environment, file: file)
            default: return nil
            }
        }
    }
}

/// The error of a cassette: its recording can't be used, may not be made, or was not used completely.
@nonexhaustive public enum CassetteError: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
    /// The recording can't be read or written.
    case recording(HARError)
    /// The recording is missing, and the mode or the environment does not allow recording. See ``CassetteMode``.
    case recordingRefused(String)
    /// Some entries of the recording were never replayed when ``Cassette/finish()`` was called.
    case unused(UnusedStubsError)

    /// What is wrong and where, the same text as `description`, because its readers are developers of tests.
    public var errorDescription: String? { description }

    /// What is wrong and where.
    public var description: String {
        switch self {
        case .recording(let error): "\(error)"
        case .recordingRefused(let text): text
        case .unused(let error): "\(error)"
        }
    }
}
