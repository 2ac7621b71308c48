// An interceptor that signs each request: method, target, date and a digest of the body, with a secret key (HMAC-SHA256).
import Foundation
import Martlet

struct SigningInterceptor: Interceptor {
    let keyID: String
    let key: Data

    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        // Not for other servers, and not for a request that one of them has redirected here.
        let context = request.context
        guard let base = context.baseOrigin, ([Origin(request.url)] + context.passedOrigins).allSatisfy({ $0 == base }) else {
            return try await next(request)
        }
        var request = request
        let digest = try await request.bodyDigest(.sha256)  // reads files too; the body can still be sent
        let date = "\(Int(context.time.now.timeIntervalSince1970))"
        let text = [request.method.rawValue, request.target, date, digest.hexadecimal].joined(separator: "\n")
        request.headers["Content-Digest"] = digest.fieldValue
        request.headers["X-Date"] = date
        request.headers["X-Signature"] = "\(keyID):\(HMACDigest(.sha256, of: Data(text.utf8), key: key).hexadecimal)"
        return try await next(request)
    }
}

struct Receipt: Decodable {
    let id: Int
}

let key = Data("s3cret".utf8)  // an app reads it from the Keychain, a service from its environment
let server = try await startServer(key: key)

// Inside the retries, so that each attempt gets its own date and signature.
let client = HTTPClient(baseURL: server.url, interceptors: [RetryInterceptor(), SigningInterceptor(keyID: "k1", key: key)])

let receipt = try await client.send(
    Request<Receipt>.post("payments", query: ["note": "a b/c"], body: .json(["amount": 12, "currency": "EUR"])))
print("accepted: receipt \(receipt.id)")
print("digest: \(server.requests[0].headers["Content-Digest"] ?? "")")

let file = FileManager.default.temporaryDirectory.appendingPathComponent("statement-\(UUID().uuidString).csv")
try Data(repeating: 0x31, count: 1_000_000).write(to: file)
let upload = try await client.send(Request<Receipt>.put("statements/may", body: .file(file, contentType: "text/csv")))
print("accepted: receipt \(upload.id), for a file of \(server.requests[1].body.count) bytes")

precondition(receipt.id == 1 && upload.id == 2)
try FileManager.default.removeItem(at: file)
