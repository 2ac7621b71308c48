package import MartletEssentials

extension HTTPBody {
    /// How long the start of a body that nobody wants is waited for.
    private static let patience = Duration.seconds(5)

    /// The start of a body for the error that is thrown in its place: empty when it breaks off, or does not come within 5 seconds, which is
    /// no worse than an error without it.
    package func startForError(upTo limit: Int, time: any TimeSource) async -> Data {
        let start = try? await race(
            { () async throws(HTTPError) in try await peek(upTo: limit) }, until: time.instant + HTTPBody.patience, time: time
        ) { ErrorContext() }
        return start ?? Data()
    }
}
