import Foundation
import Martlet
import MartletTesting

/// A reverse proxy that sends each request through a client with a cache and returns the response unchanged.
///
/// Usage: cacheproxy ORIGIN [shared]. The first line of the output is the proxy's URL. Test suites for caching proxies use it: see
/// scripts/cache-tests.
@main
enum Proxy {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let origin = arguments.first else {
            print("usage: cacheproxy ORIGIN [shared]")
            exit(64)
        }
        let cache = CacheInterceptor(store: MemoryCacheStore(), isShared: arguments.contains("shared"))
        // The suite identifies its tests and requests by them, and its HTTP client adds the last one.
        let own: Set<HTTPFieldName> = ["Test-Name", "Test-ID", "Req-Num", "Sec-Fetch-Mode"]
        let client = HTTPClient(interceptors: [cache], configuration: .init(redirects: .none, harmlessFields: own))
        let server = try await MockServer.start { request in
            guard let url = URL(string: origin + request.target) else { return .status(400) }
            var onward = Request<Data>(method: request.method, url: url)
            onward.headers = endToEnd(request.headers)
            onward.headers.remove(.host)
            onward.headers.remove(.contentLength)
            if !request.body.isEmpty { onward.body = .data(request.body) }
            onward.validation = .none
            do {
                let response = try await client.response(for: onward)
                return .data(response.body, status: response.status, headers: endToEnd(response.headers))
            } catch {
                return .text("\(error)", status: 502)
            }
        }
        // Written without buffering, so that the URL appears immediately even in a file.
        FileHandle.standardOutput.write(Data("\(server.url.absoluteString.dropLast())\n".utf8))
        // Ends after 30 minutes, in case the script does not stop it.
        try await Task.sleep(for: .seconds(1_800))
    }

    private static func endToEnd(_ headers: HTTPFields) -> HTTPFields {
        var headers = headers
        for name in [HTTPFieldName.connection, .transferEncoding, "Keep-Alive"] { headers.remove(name) }
        return headers
    }
}
