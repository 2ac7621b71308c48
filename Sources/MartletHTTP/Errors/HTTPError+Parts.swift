extension HTTPError {
    /// The parts that every case has.
    struct Parts {
        /// The name of the case in descriptions.
        let title: String
        let payload: any ErrorPayload
        /// Whether the title contains the text of the payload.
        private let saysAll: Bool
        /// Returns the same case with another context.
        let withContext: (ErrorContext) -> HTTPError

        init<Payload: ErrorPayload>(
            _ title: String, _ payload: Payload, saysAll: Bool = false, _ make: @escaping (Payload) -> HTTPError
        ) {
            self.title = title
            self.saysAll = saysAll
            self.payload = payload
            withContext = { context in
                var payload = payload
                payload.context = context
                return make(payload)
            }
        }

        /// The failure without its context.
        var summary: String {
            let text = saysAll ? "" : payload.text
            return text.isEmpty ? title : "\(title): \(text)"
        }
    }

    /// The parts of the error's case. This is the only switch over all cases.
    var parts: Parts {
        switch self {
        case .invalidURL(let failure): Parts("Invalid URL", failure, HTTPError.invalidURL)
        case .invalidRequest(let failure): Parts("Invalid request", failure, HTTPError.invalidRequest)
        case .encodingFailed(let failure): Parts("Encoding failed", failure, HTTPError.encodingFailed)
        case .networkError(let failure): Parts("Network error", failure, HTTPError.networkError)
        case .invalidSSLCertificate(let failure): Parts("TLS refused", failure, HTTPError.invalidSSLCertificate)
        case .timeout(let context): Parts("Timed out", context, HTTPError.timeout)
        case .cancelled(let context): Parts("Cancelled", context, HTTPError.cancelled)
        case .draining(let context): Parts("Draining: no new calls are started", context, HTTPError.draining)
        case .invalidResponse(let failure): Parts("Invalid response", failure, HTTPError.invalidResponse)
        case .noData(let failure): Parts("No content", failure, HTTPError.noData)
        case .statusCode(let response): Parts("Status \(response.status)", response, HTTPError.statusCode)
        case .decodingFailed(let failure):
            Parts(
                "Decoding \(failure.type) failed" + (failure.codingPath.isEmpty ? "" : " at \(failure.codingPath)"), failure,
                HTTPError.decodingFailed)
        case .responseTooLarge(let failure): Parts("Response too large", failure, HTTPError.responseTooLarge)
        case .fileFailed(let failure): Parts("File failed", failure, HTTPError.fileFailed)
        case .integrityFailed(let failure): Parts("Integrity failed", failure, HTTPError.integrityFailed)
        case .redirectFailed(let failure): Parts("Redirect failed", failure, HTTPError.redirectFailed)
        case .bodyNotReplayable(let failure): Parts("Body not replayable", failure, HTTPError.bodyNotReplayable)
        case .pagingFailed(let failure): Parts("Paging failed", failure, HTTPError.pagingFailed)
        case .addressRefused(let failure): Parts("Address refused", failure, HTTPError.addressRefused)
        case .authenticationFailed(let failure): Parts("Authentication failed", failure, HTTPError.authenticationFailed)
        case .circuitOpen(let failure): Parts("Circuit open", failure, HTTPError.circuitOpen)
        case .limitExceeded(let failure): Parts("Limit exceeded", failure, HTTPError.limitExceeded)
        case .engineUnavailable(let failure): Parts("Engine unavailable", failure, HTTPError.engineUnavailable)
        case .interceptorFailed(let failure):
            Parts("Interceptor \(failure.text) failed", failure, saysAll: true, HTTPError.interceptorFailed)
        }
    }
}
