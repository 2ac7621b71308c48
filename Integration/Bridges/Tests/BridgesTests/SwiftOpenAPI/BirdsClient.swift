#if SwiftOpenAPI
import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime

// A client in the form that swift-openapi-generator writes, for an API with few operations. Its types are flatter than generated ones.

struct Bird: Codable, Hashable, Sendable {
    var id: Int
    var name: String
}

enum BirdPart: Sendable, Hashable {
    case title(MultipartPart<String>)
    case photo(MultipartPart<OpenAPIRuntime::HTTPBody>)
}

enum Operations {
    enum GetBird {
        static let id = "getBird"

        struct Input: Sendable {
            var id: String
            var expand: [String]?
            var tag: String?
        }

        enum Output: Sendable {
            case ok(Bird)
            case notFound(OpenAPIRuntime::HTTPBody?)
            case undocumented(statusCode: Int, UndocumentedPayload)
        }
    }

    enum Created: Sendable {
        case created(Bird)
        case undocumented(statusCode: Int, UndocumentedPayload)
    }

    enum Bytes: Sendable {
        case ok(OpenAPIRuntime::HTTPBody)
        case undocumented(statusCode: Int, UndocumentedPayload)
    }
}

struct BirdsClient: Sendable {
    private let client: UniversalClient
    private var converter: Converter { client.converter }

    init(serverURL: URL, transport: any ClientTransport) { client = UniversalClient(serverURL: serverURL, transport: transport) }

    func getBird(_ input: Operations.GetBird.Input) async throws -> Operations.GetBird.Output {
        try await client.send(
            input: input, forOperation: Operations.GetBird.id,
            serializer: { input in
                let path = try converter.renderedPath(template: "/birds/{}", parameters: [input.id])
                var request = HTTPTypes::HTTPRequest(soar_path: path, method: .get)
                try converter.setQueryItemAsURI(in: &request, style: .form, explode: true, name: "expand", value: input.expand)
                try converter.setHeaderFieldAsURI(in: &request.headerFields, name: "X-Tag", value: input.tag)
                request.headerFields[.accept] = "application/json"
                return (request, nil)
            },
            deserializer: { response, body in
                switch response.status.code {
                case 200: return .ok(try await bird(response, body))
                case 404: return .notFound(body)
                default: return .undocumented(statusCode: response.status.code, .init(headerFields: response.headerFields, body: body))
                }
            })
    }

    func addBird(_ bird: Bird) async throws -> Operations.Created {
        try await created(bird, operation: "addBird") { bird, fields in
            try converter.setRequiredRequestBodyAsJSON(bird, headerFields: &fields, contentType: "application/json; charset=utf-8")
        }
    }

    func addPhoto(_ parts: MultipartBody<BirdPart>) async throws -> Operations.Created {
        try await created(parts, operation: "addPhoto") { parts, fields in
            try converter.setRequiredRequestBodyAsMultipart(
                parts, headerFields: &fields, contentType: "multipart/form-data", allowsUnknownParts: false,
                requiredExactlyOncePartNames: ["title", "photo"], requiredAtLeastOncePartNames: [], atMostOncePartNames: [],
                zeroOrMoreTimesPartNames: [],
                encoding: { part in
                    var fields: HTTPTypes::HTTPFields = .init()
                    switch part {
                    case .title(let wrapped):
                        let body = try converter.setRequiredRequestBodyAsBinary(
                            .init(wrapped.payload), headerFields: &fields, contentType: "text/plain")
                        return .init(name: "title", filename: wrapped.filename, headerFields: fields, body: body)
                    case .photo(let wrapped):
                        let body = try converter.setRequiredRequestBodyAsBinary(
                            wrapped.payload, headerFields: &fields, contentType: "image/png")
                        return .init(name: "photo", filename: wrapped.filename, headerFields: fields, body: body)
                    }
                })
        }
    }

    func upload(_ bytes: OpenAPIRuntime::HTTPBody) async throws -> Operations.Created {
        try await created(bytes, operation: "upload") { bytes, fields in
            try converter.setRequiredRequestBodyAsBinary(bytes, headerFields: &fields, contentType: "application/octet-stream")
        }
    }

    func song() async throws -> Operations.Bytes { try await bytes("/song", operation: "song", accept: "audio/ogg") }

    func prices() async throws -> Operations.Bytes { try await bytes("/prices", operation: "prices", accept: "text/event-stream") }

    private func created<Input: Sendable>(
        _ input: Input, operation: String,
        body makeBody: @escaping @Sendable (Input, inout HTTPTypes::HTTPFields) throws -> OpenAPIRuntime::HTTPBody
    ) async throws -> Operations.Created {
        try await client.send(
            input: input, forOperation: operation,
            serializer: { input in
                var request = HTTPTypes::HTTPRequest(soar_path: "/birds", method: operation == "upload" ? .put : .post)
                request.headerFields[.accept] = "application/json"
                let body = try makeBody(input, &request.headerFields)
                return (request, body)
            },
            deserializer: { response, body in
                guard response.status.code == 201 else {
                    return .undocumented(statusCode: response.status.code, .init(headerFields: response.headerFields, body: body))
                }
                return .created(try await bird(response, body))
            })
    }

    private func bytes(_ path: String, operation: String, accept: String) async throws -> Operations.Bytes {
        try await client.send(
            input: (), forOperation: operation,
            serializer: { _ in
                var request = HTTPTypes::HTTPRequest(soar_path: path, method: .get)
                request.headerFields[.accept] = accept
                return (request, nil)
            },
            deserializer: { response, body in
                guard response.status.code == 200 else {
                    return .undocumented(statusCode: response.status.code, .init(headerFields: response.headerFields, body: body))
                }
                return .ok(try converter.getResponseBodyAsBinary(OpenAPIRuntime::HTTPBody.self, from: body) { $0 })
            })
    }

    private func bird(_ response: HTTPTypes::HTTPResponse, _ body: OpenAPIRuntime::HTTPBody?) async throws -> Bird {
        let contentType = converter.extractContentTypeIfPresent(in: response.headerFields)
        _ = try converter.bestContentType(received: contentType, options: ["application/json"])
        return try await converter.getResponseBodyAsJSON(Bird.self, from: body) { $0 }
    }
}
#endif
