import Foundation
import Martlet
import MartletTesting

/// The replies of the shop's servers.
actor ShopServer {
    static let script = "alert(document.domain);window.isOwned=true"
    static let markup = "<img src=x onerror=\"\(script)\"><script>\(script)</script>\"'`{{7*7}}"

    private var orderRequests = 0
    private var uploaded: Int64 = 0

    func reply(to request: HTTPRequest) -> MockReply {
        let host = request.url.host ?? "", path = request.url.path
        switch (host, path) {
        case ("login.shop.example", "/refresh"):
            return .json(#"{"access_token":"n3w-s3cret-token","expires_in":3600}"#).delayed(by: .milliseconds(150))
        case ("login.shop.example", _): return .json(#"{"error":"invalid_grant"}"#, status: 400).delayed(by: .milliseconds(70))
        case ("eu.cdn.example", "/users/42/orders"): return ShopServer.wrongOrders.delayed(by: .milliseconds(90))
        case ("eu.cdn.example", "/maps/europe.pack"): return ShopServer.download
        case ("nowhere.invalid", _): return .failure(.networkError(NetworkFailure(.hostNotFound, "nowhere.invalid could not be resolved")))
        case ("x.example", _): return ShopServer.hostile
        case (_, "/v2/users/42/orders"): return orders(request)
        case (_, "/v2/uploads"), (_, "/v2/uploads/7"): return upload(request)
        case (_, "/graphql"): return ShopGraphQL.reply(to: request)
        default: return ShopServer.plain(path, request)
        }
    }

    /// The first request fills the cache. The next one is rejected, then fails, then is redirected.
    private func orders(_ request: HTTPRequest) -> MockReply {
        orderRequests += 1
        switch orderRequests {
        case 1: return .json(#"{"orders":[]}"#, headers: ["ETag": "\"a41f\"", "Cache-Control": "max-age=0"])
        case 2:
            let problem = #"{"type":"about:blank","title":"Unauthorized","status":401,"detail":"The token has expired."}"#
            return .json(problem, status: 401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""]).delayed(by: .milliseconds(42))
        case 3:
            return .text("The database is being restarted.\n", status: 503, headers: ["Retry-After": "1"]).delayed(by: .milliseconds(68))
        default:
            return .status(307, headers: ["Location": "https://eu.cdn.example/users/42/orders"]).delayed(by: .milliseconds(38))
        }
    }

    /// A server of resumable uploads (tus 1.0).
    private func upload(_ request: HTTPRequest) -> MockReply {
        if request.method == .post { return .status(201, headers: ["Location": "/v2/uploads/7", "Tus-Resumable": "1.0.0"]) }
        uploaded += request.body?.length ?? 0
        return .status(204, headers: ["Upload-Offset": "\(uploaded)", "Tus-Resumable": "1.0.0"]).delayed(by: .milliseconds(700))
    }

    private static func plain(_ path: String, _ request: HTTPRequest) -> MockReply {
        switch path {
        case "/v2/users": return users
        case "/v2/settings": return .json(#"{"theme":"dark"}"#, headers: ["Cache-Control": "max-age=60"]).delayed(by: .milliseconds(25))
        case "/v2/flags":
            let headers: HTTPFields = ["ETag": "\"f3\"", "Cache-Control": "max-age=0"]
            if request.headers[.ifNoneMatch] != nil { return .status(304, headers: headers).delayed(by: .milliseconds(27)) }
            return .json(#"{"flags":["new-cart"]}"#, headers: headers).delayed(by: .milliseconds(31))
        case "/v2/orders":
            return .json(#"{"id":"o-981","token":"s3cret-order"}"#, status: 201).delayed(by: .milliseconds(118))
        case "/u/42.png": return .data(ShopBodies.png(width: 320, height: 180), contentType: "image/png").delayed(by: .milliseconds(40))
        case "/icons/bird.svg": return .data(Data(ShopBodies.svg.utf8), contentType: "image/svg+xml")
        case "/v2/model.bin": return .data(ShopBodies.bytes(2_500_000), contentType: "application/octet-stream").delayed(by: .milliseconds(210))
        case "/v2/export": return .json(ShopBodies.export).delayed(by: .milliseconds(320))
        case "/v2/suggest": return .silence
        case "/v2/prices": return prices
        case "/v2/items/13": return .json(#"{"message":"no such item"}"#, status: 404).delayed(by: .milliseconds(22))
        default: return .json(#"{"item":1}"#).delayed(by: .milliseconds(35))
        }
    }

    private static let users: MockReply = {
        let list = (1..<250).map { #"{"id":\#($0),"name":"User \#($0)","password":"s3cret-\#($0)","roles":["reader"]}"# }
        return .json("[\(list.joined(separator: ","))]", headers: ["Set-Cookie": "session=s3cret-cookie; HttpOnly"]).delayed(by: .milliseconds(61))
    }()

    private static let wrongOrders: MockReply = {
        let lines = (1..<9).map { #"{"sku":"bird-\#($0)","count":\#($0),"price":\#($0).25}"# }.joined(separator: ",")
        let order = #"{"id":9007199254740993,"placed":"2026-11-23T18:31:07Z","total":"12,50","lines":[\#(lines)],"customer":{"name":"Ada","token":"s3cret","address":null,"isGuest":false}}"#
        return .json(#"{"orders":[\#(order),\#(order),\#(order)],"next":null}"#, headers: ["ETag": "\"b7c2\"", "Cache-Control": "max-age=60"])
    }()

    private static let prices: MockReply = .events(
        (0..<2_000).map { .init(#"{"sku":"bird-\#($0 % 9)","price":\#(10 + $0 / 4)}"#, type: "price", id: "\($0)") }
    ).piecesDelayed(by: .milliseconds(400))

    private static let download: MockReply = {
        let piece = Data(repeating: 7, count: 120_000)
        return .stream(Array(repeating: piece, count: 400), headers: ["Content-Length": "48000000", "Content-Type": "application/octet-stream"])
            .bodyDelayed(by: .milliseconds(60)).piecesDelayed(by: .milliseconds(120))
    }()

    private static let hostile: MockReply = .data(
        Data("{\"\(escaped)\":[\"\(escaped)\"],\"__proto__\":{\"isAdmin\":true},\"constructor\":\"\(escaped)\"}".utf8),
        headers: ["Content-Type": "application/json", "X-Note": markup, "Content-Disposition": "inline; filename=\"\(script)\""])

    private static let escaped = markup.replacingOccurrences(of: "\"", with: "\\\"")
}
