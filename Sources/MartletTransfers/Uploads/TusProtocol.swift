internal import MartletEssentials

/// The words of the tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload): functions of values.
enum TusProtocol {
    static let version = "1.0.0"
    static let contentType = "application/offset+octet-stream"

    /// `Upload-Metadata`: names, and values in base 64. Nil when a name can't be written.
    static func metadata(_ values: [String: String]) -> String? {
        var pairs: [String] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }) else { return nil }
            pairs.append(value.isEmpty ? name : "\(name) \(Data(value.utf8).base64EncodedString())")
        }
        return pairs.joined(separator: ",")
    }

    /// The `Upload-Offset` of an answer; nil when it has none that makes sense for a file of that length.
    static func offset(_ headers: HTTPFields, length: Int64) -> Int64? {
        guard let text = headers["Upload-Offset"], text.isDecimal, let offset = Int64(text),
            offset <= length
        else { return nil }
        return offset
    }

    /// What to do after a failure.
    enum Answer: Sendable, Hashable {
        /// Ask where the server stands, after a wait that it asks for.
        case ask(Duration)
        /// The upload is no longer there.
        case gone
        /// That was the end.
        case give
    }

    /// Decides about a failure.
    static func decide(_ error: HTTPError, now: Date) -> Answer {
        if case .statusCode(let response) = error {
            switch response.status {
            case .notFound, .gone: return .gone
            // Another request was faster or still holds the upload (423), or the bytes did not arrive as they were sent (460).
            case .conflict, 423, 460: return .ask(.zero)
            default: break
            }
        }
        return TransientFailure.wait(after: error, now: now).map { .ask($0) } ?? .give
    }
}
