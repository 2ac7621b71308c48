import Foundation
import Testing

@testable import MartletCache
@testable import MartletHTTP

/// A quadratic implementation takes minutes for these inputs and fails by the time limit.
@Suite("Fields with very many elements are read in linear time", .timeLimit(.minutes(5)))
struct FieldCostTests {
    private func fields(_ count: Int) -> HTTPFields {
        var fields = HTTPFields()
        for number in 0..<count { fields.append(HTTPFieldName("X-A-Long-Name-For-A-Field-\(100_000 + number)"), "\(number)") }
        return fields
    }

    private func names(_ count: Int) -> String {
        (0..<count).map { "X-A-Long-Name-For-A-Field-\(200_000 - $0)" }.joined(separator: ",")
    }

    @Test("Many fields named by Connection are removed (RFC 9110 §7.6.1)")
    func connection() {
        var headers = fields(20_000)
        headers.append(.connection, names(90_000))
        #expect(StorageRules.withoutConnection(headers).count == 10_000 + 1)
    }

    @Test("Many fields named by Cache-Control are not stored (RFC 9111 §5.2.2.4)")
    func cacheControl() {
        var headers = fields(20_000)
        headers.append(.cacheControl, "max-age=9, no-cache=\"\(names(90_000))\"")
        let stored = StorageRules.storedFields(headers, received: Date(timeIntervalSince1970: 0), CacheSettings())
        // The fields that are not named, and Cache-Control and Date.
        #expect(stored.count == 10_000 + 1 + 2)
    }

    @Test("Many fields replace fields with the same name")
    func replacing() {
        var headers = fields(30_000)
        headers.replace(with: fields(20_000))
        #expect(headers.count == 30_000)
        #expect(headers.first?.name == "X-A-Long-Name-For-A-Field-120000")
        #expect(headers["X-A-Long-Name-For-A-Field-119999"] == "19999")
    }

    @Test("Many lines with one name are joined")
    func joining() {
        var headers = HTTPFields()
        let value = String(repeating: "v", count: 100)
        for _ in 0..<150_000 { headers.append("A", value) }
        #expect(headers["A"]?.utf8.count == 150_000 * 102 - 2)
    }

    @Test("A media type with many parameters is written")
    func mediaType() throws {
        let type = try #require(MediaType("text/plain" + String(repeating: "; name=value", count: 200_000)))
        #expect(type.parameters.count == 200_000)
        #expect(type.description.utf8.count == 10 + 12 * 200_000)
    }
}
