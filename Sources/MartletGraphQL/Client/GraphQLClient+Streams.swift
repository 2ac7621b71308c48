internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// Answers that come in pieces: those to @defer and @stream, and those to subscriptions.

extension GraphQLClient {
    /// The growing answer to a query or a mutation with `@defer` or `@stream`.
    public func updates<D>(of operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<D> {
        let client = self
        let loop = UpdateLoop<D>(
            of: operation, decoder: decoder, policy: options.errorPolicy ?? errorPolicy ?? .all,
            maxBytes: (options.call.limits ?? ResponseLimits()).bodyBytes
        ) { () async throws(GraphQLError) in
            try operation.erased.check(for: [.query, .mutation])
            let endpoint = try client.streamedEndpoint(operation.erased, options, accept: GraphQLMedia.acceptIncremental)
            do throws(HTTPError) { return try await client.client.stream(endpoint) } catch { throw .http(error) }
        }
        return GraphQLUpdateSequence(loop)
    }

    /// A request whose answer is read as it comes.
    private func streamedEndpoint(
        _ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions, accept: String
    ) throws(GraphQLError) -> GraphQLEndpoint {
        var payload = OperationPayload(operation)
        payload.extensions = options.extensions
        let encoded = try payload.encoded(with: configuration.encoder)
        guard encoded.uploads.isEmpty else {
            throw .invalidOperation(Explanation("\(operation) has files to upload, which is not possible where the answer comes in pieces"))
        }
        var options = options
        options.headers.addMissing(configuration.headers)
        options.headers.addMissing([.accept: accept])
        var endpoint = endpoint([operation], options)
        endpoint.body = .data(encoded.json, contentType: "application/json")
        return endpoint
    }
}
