import Foundation
import Martlet
import MartletGraphQL

extension ReviewRepository {
    /// Creates the repository for a server whose GraphQL endpoint is `graphql` below the base URL.
    init(baseURL: URL, token: String?, time: any TimeSource = .system) {
        let standard = StandardInterceptors(authentication: token.map { AuthInterceptor(AccessToken($0)) })
        let http = HTTPClient(baseURL: baseURL, interceptors: standard.list, time: time)
        self.init(graphQL: GraphQLClient(http, path: "graphql").mappingErrors(GraphQLErrorMapper { ReviewError($0) }))
    }
}
