internal import MartletEssentials

/// A token provider that often has its token in memory, so that a call need not wait for it.
protocol ReadyTokenProvider: TokenProvider {
    /// Returns what `token()` would return, if that is a token and takes no waiting, and otherwise nil.
    ///
    /// - Parameter time: The clock of the client that requests the token.
    func tokenAtHand(time: any TimeSource) -> AccessToken?
}

extension StaticTokenProvider: ReadyTokenProvider {
    func tokenAtHand(time: any TimeSource) -> AccessToken? { fixed }
}

extension StoredTokenProvider: ReadyTokenProvider {
    func tokenAtHand(time: any TimeSource) -> AccessToken? { session.tokenAtHand(time: time) }
}
