import Foundation
import Martlet

/// The payloads' types and values. Their JSON has the members in the order of declaration, as most servers write them.
enum Payloads {
    struct Price: Codable, Sendable {
        let amount: Double, currency: String
    }

    struct NestedProduct: Codable, Sendable {
        let id: Int, name: String, price: Price, inStock: Bool, tags: [String], rating: Double?, discountCode: String?
    }

    struct SnakeProduct: Codable, Sendable {
        let productId: Int, fullName: String, unitPrice: Price, inStock: Bool, tagList: [String], averageRating: Double?
    }

    struct Person: Codable, Sendable {
        let login: String, id: Int, avatarUrl: URL?, siteAdmin: Bool
    }

    struct Label: Codable, Sendable {
        let id: Int, name: String, color: String, isDefault: Bool
    }

    struct Issue: Codable, Sendable {
        let id: Int, nodeId: String, number: Int, title: String, user: Person, labels: [Label], state: String, locked: Bool
        let comments: Int, createdAt: Date, updatedAt: Date, closedAt: Date?, authorAssociation: String, body: String
    }

    struct Mention: Codable, Sendable {
        let screenName: String, id: Int64, indices: [Int]
    }

    struct Entities: Codable, Sendable {
        let hashtags: [String], mentions: [Mention], urls: [String]
    }

    struct Author: Codable, Sendable {
        let id: Int64, name: String, screenName: String, location: String?, description: String, followersCount: Int, verified: Bool
    }

    final class Post: Codable, Sendable {
        let createdAt: String, id: Int64, text: String, source: String, truncated: Bool, author: Author, shared: Post?
        let entities: Entities, favoriteCount: Int, language: String

        init(_ number: Int, shared: Post?) {
            createdAt = "Sun Aug 31 00:29:15 +0000 2014"
            id = 505_874_924_095_815_681 + Int64(number)
            text = "Vandaag een ijsvogel gezien \u{1F60B}\u{2728} 名前:前田 第一印象:なんか怖っ！今の印象:とりあえず。 №\(number)"
            source = "<a href=\"https://example.com/download\" rel=\"nofollow\">Client</a>"
            truncated = false
            author = Author(
                id: 1_186_275_104, name: "AYUMI", screenName: "ayumi0123", location: number % 2 == 0 ? nil : "東京",
                description: "元野球部マネージャー❤︎…最高の夏をありがとう", followersCount: 262, verified: false)
            self.shared = shared
            entities = Entities(
                hashtags: ["birds", "日本"], mentions: [Mention(screenName: "someone", id: 866_260_188, indices: [0, 9])], urls: [])
            favoriteCount = number
            language = "ja"
        }
    }

    struct Point: Codable, Sendable {
        let x: Double, y: Double, z: Double, w: Double
    }

    struct Options: Codable, Sendable {
        var a: Int?, b: String?, c: Double?, d: [Int]?, e: Bool?, f: [String: Int]?, children: [Options]?, g: Int?, h: Int?, i: String?
    }

    static let nested = (0..<75).map {
        NestedProduct(
            id: $0, name: "Product number \($0)", price: Price(amount: Double($0) * 1.25, currency: "EUR"), inStock: $0 % 3 == 0,
            tags: ["new"], rating: $0 % 2 == 0 ? 4.5 : nil, discountCode: nil)
    }

    static let snake = (0..<75).map {
        SnakeProduct(
            productId: $0, fullName: "Product number \($0)", unitPrice: Price(amount: Double($0) * 1.25, currency: "EUR"),
            inStock: $0 % 3 == 0, tagList: ["new"], averageRating: $0 % 2 == 0 ? 4.5 : nil)
    }

    static let issues = (0..<100).map { number in
        Issue(
            id: number, nodeId: "MDU6SXNzdWUx\(number)", number: number, title: "Found a bug in the thing – no. \(number)",
            user: Person(login: "octo", id: 1, avatarUrl: URL(string: "https://example.com/images/happy.gif"), siteAdmin: false),
            labels: [
                Label(id: 208_045_946, name: "bug", color: "f29513", isDefault: true),
                Label(id: 208_045_947, name: "feature", color: "f29514", isDefault: false),
            ], state: "open", locked: true, comments: 0, createdAt: Date(timeIntervalSince1970: 1_300_000_000 + Double(number)),
            updatedAt: Date(timeIntervalSince1970: 1_300_100_000),
            closedAt: number % 2 == 0 ? nil : Date(timeIntervalSince1970: 1_310_000_000), authorAssociation: "COLLABORATOR",
            body: String(repeating: "I'm having a problem with this.\n", count: 8))
    }

    static let posts = (0..<600).map { Post($0, shared: $0 % 3 == 0 ? Post($0 + 1_000, shared: nil) : nil) }

    static func points(_ random: inout some RandomNumberGenerator) -> [Point] {
        (0..<8_000).map { _ in
            Point(
                x: .random(in: -1_000...1_000, using: &random), y: .random(in: -1...1, using: &random),
                z: Double(Int.random(in: 0...99_999, using: &random)) / 100, w: Double(Int.random(in: 0...99, using: &random)))
        }
    }

    static func numbers(_ random: inout some RandomNumberGenerator) -> [Double] {
        (0..<55_000).map { _ in Double.random(in: -1e6...1e6, using: &random) }
    }

    static let dictionaries = (0..<2_000).map { number in
        Dictionary(uniqueKeysWithValues: (0..<5).map { ("key\($0)_\(number % 10)", number + $0) })
    }

    static func options(_ depth: Int, _ random: inout some RandomNumberGenerator) -> Options {
        var options = Options()
        if Bool.random(using: &random) { options.a = 1 }
        if Bool.random(using: &random) { options.b = "text" }
        if Bool.random(using: &random) { options.d = [1, 2] }
        if Bool.random(using: &random) { options.f = ["a": 1] }
        if Bool.random(using: &random) { options.i = "iii" }
        if depth > 0 { options.children = (0..<3).map { _ in self.options(depth - 1, &random) } }
        return options
    }
}

/// A random number generator whose numbers depend only on its seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
