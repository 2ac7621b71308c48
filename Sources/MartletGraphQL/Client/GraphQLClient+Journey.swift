internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// The journey of an operation:
//
//     operation → checked → payload → endpoint → HTTP client
//          result ← read by the rules of its media type ← HTTPResponse

extension GraphQLClient {
    /// Sends a query or a mutation and gives the whole answer.
    @concurrent public func response<D>(
        for operation: GraphQLOperation<D>, options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<D> {
        try operation.erased.check(for: [.query, .mutation])
        let response = try await send(operation.erased, options)
        return try GraphQLAnswer.read(response, of: operation, decoder: decoder)
    }

    private func send(_ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions) async throws(GraphQLError) -> HTTPResponse<Data> {
        var payload = OperationPayload(operation)
        payload.extensions = options.extensions
        let encoded = try payload.encoded(with: configuration.encoder)
        var endpoint = endpoint([operation], options)
        endpoint.body = .data(encoded.json, contentType: "application/json")
        do throws(HTTPError) { return try await client.perform(endpoint, decoding: .decodable) } catch { throw .http(error) }
    }

    /// A request for operations, without its parameters.
    func endpoint(_ operations: [AnyGraphQLOperation], _ options: GraphQLCallOptions) -> GraphQLEndpoint {
        var headers = options.headers
        headers.addMissing(configuration.headers)
        headers.addMissing([.accept: GraphQLMedia.accept])
        return GraphQLEndpoint(operations, target: target, headers: headers, timeout: options.timeout, options: options.call)
    }
}
