package import MartletEssentials

extension HTTPBody {
    /// The maximum wait for the start of a body that is only read for an error.
    private static let patience = Duration.seconds(5)

    /// Returns the start of a body for the error that replaces the response.
    ///
    /// It returns empty data if reading fails or takes longer than 5 seconds, because an error without the body is better than no error.
    package func startForError(upTo limit: Int, time: any TimeSource) async -> Data {
        let start = try? await race(
            { () async throws(HTTPError) in try await peek(upTo: limit) }, until: time.instant + HTTPBody.patience, time: time
        ) { ErrorContext() }
        return start ?? Data()
    }
}
