internal import MartletEssentials

/// The header fields and decisions of the tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload).
enum TusProtocol {
    static let version = "1.0.0"
    static let contentType = "application/offset+octet-stream"

    /// Returns the value of `Upload-Metadata`: names, and values in Base64. Returns nil if a name can't be written.
    static func metadata(_ values: [String: String]) -> String? {
        var pairs: [String] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }) else { return nil }
            pairs.append(value.isEmpty ? name : "\(name) \(Data(value.utf8).base64EncodedString())")
        }
        return pairs.joined(separator: ",")
    }

    /// Returns the `Upload-Offset` of a response, or nil if it is missing, malformed or beyond the length of the file.
    static func offset(_ headers: HTTPFields, length: Int64) -> Int64? {
        guard let text = headers["Upload-Offset"], text.isDecimal, let offset = Int64(text),
            offset <= length
        else { return nil }
        return offset
    }

    /// The reaction to a failure.
    enum Answer: Sendable, Hashable {
        /// Request the server's offset after this wait.
        case ask(Duration)
        /// The upload no longer exists.
        case gone
        /// The upload fails.
        case give
    }

    /// Decides how to react to a failure.
    static func decide(_ error: HTTPError, now: Date) -> Answer {
        if case .statusCode(let response) = error {
            switch response.status {
            case .notFound, .gone: return .gone
            // Another request was faster or still holds the upload (423), or the bytes arrived damaged (460).
            case .conflict, 423, 460: return .ask(.zero)
            default: break
            }
        }
        return TransientFailure.wait(after: error, now: now).map { .ask($0) } ?? .give
    }
}
