import Foundation
import Martlet
import MartletMockServer

/// Starts a server that accepts requests whose body and signature are genuine.
func startServer(key: Data) async throws -> MockServer {
    try await MockServer.start { request in
        let digest = ContentDigest(.sha256, of: request.body), date = request.headers["X-Date"] ?? ""
        let text = "\(request.method.rawValue)\n\(request.target)\n\(date)\n\(digest.hexadecimal)"
        let signature = request.headers["X-Signature"]?.split(separator: ":") ?? []
        guard request.headers["Content-Digest"] == digest.fieldValue, signature.first == "k1",
            HMACDigest(.sha256, of: Data(text.utf8), key: key).isEqual(to: String(signature.last ?? ""))
        else { return .status(403) }
        return .json(#"{"id":\#(request.method == .post ? 1 : 2)}"#)
    }
}
