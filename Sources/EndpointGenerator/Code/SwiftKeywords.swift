/// The words that generated names avoid.
enum SwiftKeywords {
    /// Keywords, which need backticks as names.
    static let all = Set(
        """
        any as associatedtype await break case catch class continue default defer deinit do else enum \
        extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator precedencegroup \
        private protocol public repeat rethrows return self Self some static struct subscript super switch throw throws \
        true try typealias var where while Any
        """.split(separator: " ").map(String.init))

    /// Types that an endpoint nests, and types that only generated tests use. A type at the top level must not hide them.
    static let topLevelNames: Set<String> = [
        "Body", "HTTPClientMock", "JSONBodyDecoder", "JSONBodyEncoder", "Response", "Suite", "Test", "Testing",
    ]

    /// Types that generated sources use, or that a nested type should not hide.
    static let typeNames = Set(
        """
        Any AnyObject Array Bool BodyDecoder BodyEncoder CallOptions CaseIterable Character Codable CodingKey CodingKeys Data Date \
        Decimal Decodable Decoder Dictionary Double Duration EmptyResponse Encodable Encoder Endpoint Equatable Error ErrorBody Float \
        Form Foundation HTTPClient HTTPClientProtocol HTTPError HTTPFields HTTPMethod HTTPRequest HTTPResponse HTTPStatus Hashable \
        Identifiable Int Int64 JSONNumber JSONObject JSONValue Martlet Never OpenEnum Optional Path ProblemDetails Protocol Query \
        Request RequestBody Result Self Sendable Set StatusValidation String Swift Task Type UInt64 URL UUID Void
        """.split(separator: " ").map(String.init))
}
