import Foundation
import Martlet

/// `GET /words/{id}/text`
struct GetWordText: Endpoint {
    typealias Response = String
    /// The value of `{id}` in the path.
    let id: Int64

    var path: Path { "words/\(id)/text" }

    /// The response is a JSON string, and not text.
    static var usesDecoder: Bool { true }

    /// Decodes the JSON string.
    func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> String {
        try decoder.decode(String.self, from: response.body)
    }
}
