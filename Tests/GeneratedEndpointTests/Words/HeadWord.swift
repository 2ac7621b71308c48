import Martlet

/// `HEAD /words/{word}`
struct HeadWord: Endpoint {
    typealias Response = EmptyResponse
    /// The value of `{word}` in the path.
    let word: String

    var path: Path { "words/\(word)" }
    var method: HTTPMethod { .head }
}
