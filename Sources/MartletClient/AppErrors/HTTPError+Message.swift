public import MartletEssentials

extension HTTPError: LocalizedError {
    /// The message for people in English, or nil after a cancellation.
    ///
    /// It is the message of the `APIError` that ``HTTPErrorMapper`` returns. The text for developers is `description`.
    public var errorDescription: String? { HTTPErrorMapper().map(self).errorDescription }
}
