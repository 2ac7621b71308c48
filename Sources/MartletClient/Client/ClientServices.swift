/// What a client provides to interceptors and errors.
///
/// It is separate from the client's settings because recorded requests keep it. Otherwise a transport that records requests would keep
/// itself alive.
package final class ClientServices: RequestServices {
    package let time: any TimeSource
    package let random: any RandomSource
    /// The client's decoder.
    package let decoder: any BodyDecoder

    package init(time: any TimeSource, random: any RandomSource = .system, decoder: any BodyDecoder = .json) {
        self.time = time
        self.random = random
        self.decoder = decoder
    }
}
