/// The outcome of decrypting what was received.
enum TLSReading {
    case bytes(Int)
    case needsMore
    /// The client has said that nothing more will come.
    case ended
    case failed(String)
}
