/// What a client provides to interceptors and errors.
///
/// It is separate from the client's settings because recorded requests keep it. Otherwise a transport that records requests would keep
/// itself alive.
package final class ClientServices: RequestServices {
    package let time: any TimeSource
    package let random: any RandomSource
    /// The client's decoder.
    let decoder: any BodyDecoder
    package let harmlessFields: Set<HTTPFieldName>
    private let transportCalls: ObjectIdentifier?

    /// Identifies the transport while it exists, or the client if the transport has no group of calls. Requests of clients with different
    /// transports may have different credentials, such as client certificates.
    package var transportID: ObjectIdentifier { transportCalls ?? ObjectIdentifier(self) }

    package init(
        time: any TimeSource, random: any RandomSource = .system, decoder: any BodyDecoder = .json,
        harmlessFields: Set<HTTPFieldName> = [], transportCalls: CallGroup? = nil
    ) {
        self.time = time
        self.random = random
        self.decoder = decoder
        self.harmlessFields = harmlessFields
        self.transportCalls = transportCalls.map { ObjectIdentifier($0) }
    }
}
