internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a server says to the hash of a document (Apollo's automatic persisted queries).
enum PersistedAnswer {
    /// It knows it: the answer is the operation's.
    case known
    /// It has not met it: it wants the document.
    case unknown
    /// It wants no hashes.
    case unsupported

    private static let largest = 65_536

    /// Looks for the server's words in an answer of any status, which is read only when they are in it.
    static func of(_ response: HTTPResponse<Data>, decoder: any BodyDecoder) -> PersistedAnswer {
        // Whoever does not know the document has not much to say.
        guard response.body.count <= largest else { return .known }
        let text = String(decoding: response.body, as: UTF8.self)
        guard text.contains("PersistedQuery") || text.contains("PERSISTED_QUERY") else { return .known }
        let read = try? GraphQLAnswer.read(response, as: UnreadData.self, operationName: nil, decoder: decoder)
        let errors = read?.result.errors ?? []
        func has(_ message: String, _ code: String) -> Bool { errors.contains { $0.message == message || $0.code == code } }
        if has("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED") { return .unsupported }
        return has("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND") ? .unknown : .known
    }
}
