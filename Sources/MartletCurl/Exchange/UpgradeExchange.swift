internal import MartletEngine
internal import MartletHTTP

/// The head of a request that asks for an upgrade, as its bytes on the connection.
struct UpgradeRequestHead {
    let bytes: [UInt8]

    /// Throws `.invalidRequest` unless the request is a GET without a body.
    ///
    /// - Parameter url: the text of the request's URL, without user information.
    init(_ request: borrowing HTTPRequest, url: String) throws(HTTPError) {
        guard request.method == .get, request.body == nil else {
            throw .invalidRequest("only a GET request without a body can ask for an upgrade of its connection")
        }
        var bytes: [UInt8] = []
        RequestHead.write(request, url: url, framing: .none, to: &bytes)
        self.bytes = bytes
    }
}

/// The response to a request for an upgrade. libcurl has only opened the connection.
struct UpgradeResponse {
    /// What has become of the response.
    enum Progress: Hashable {
        case more
        /// The response is 101. The bytes from this position on belong to the upgraded connection.
        case switched(end: Int)
        /// The reception has the response, or an error.
        case complete
    }

    private var reader = ResponseReader()
    // Each call is a round of its own: the response is not streamed, and its content codings are not decoded.
    private var work = RoundBudget()

    /// Whether the end of the connection completes the response.
    var endsWithConnection: Bool { reader.endsWithConnection }

    /// Receives bytes in the order in which they arrive.
    mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>, _ head: inout ResponseHead, _ reception: inout Reception) -> Progress {
        var rest = bytes[...]
        let noScratch = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        while true {
            work.begin()
            switch reader.read(&rest, &head, &reception, into: nil, within: &work, scratch: noScratch) {
            case .more: return .more
            case .head(.proceed), .paused: continue
            case .head, .complete, .over: return .complete
            case .switched: return .switched(end: rest.startIndex)
            }
        }
    }
}
