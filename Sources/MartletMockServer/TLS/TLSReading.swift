/// The result of decrypting received bytes.
enum TLSReading {
    case bytes(Int)
    case needsMore
    /// The client has announced the end of its data.
    case ended
    case failed(String)
}
