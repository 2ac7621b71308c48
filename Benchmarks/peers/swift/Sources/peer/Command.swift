import Measuring

/// The clients of other libraries.
enum PeerName: String, CaseIterable {
    case asyncHTTPClient = "async-http-client"
    case alamofire
    case get
}

@main
struct Command {
    static func main() {
        ContenderCommand.run { (name: PeerName, origin) in
            switch name {
            case .asyncHTTPClient: try AsyncHTTPClientContender(origin: origin)
            case .alamofire: AlamofireContender(origin: origin)
            case .get: GetContender(origin: origin)
            }
        }
    }
}

/// The most connections to the server, as many as Martlet's default.
let maxConnections = 64
