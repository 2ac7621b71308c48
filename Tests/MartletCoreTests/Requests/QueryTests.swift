import Foundation
import MartletCore
import Testing

@Suite struct QueryTests {
    enum Order: String, Codable { case newestFirst = "newest first" }
    struct Filter: Codable, Sendable { var createdAfter: Date, tags: [String], owner: Owner? }
    struct Owner: Codable, Sendable { var name: String }

    @Test("Pairs keep their order, nil is dropped, and a name may come twice")
    func order() throws {
        let none: String? = nil
        #expect(try (["z": 1, "a": none, "m": "x", "z": 2] as Query).encoded() == "z=1&m=x&z=2")
    }

    @Test("Everything but unreserved characters is escaped, a plus too (RFC 3986 §2.3)")
    func escaping() throws {
        #expect(try (["a b": "c+d&e=f/g?é"] as Query).encoded() == "a%20b=c%2Bd%26e%3Df%2Fg%3F%C3%A9")
    }

    @Test("Numbers, truth values, dates, identifiers, enums and optionals have a text")
    func values() throws {
        let id = UUID()
        let date = Date(timeIntervalSince1970: 0)
        let query: Query = ["i": 1, "d": 2.5, "b": false, "t": date, "u": id, "e": Order.newestFirst, "o": Optional(3)]
        #expect(try query.encoded() == "i=1&d=2.5&b=false&t=1970-01-01T00%3A00%3A00Z&u=\(id.uuidString)&e=newest%20first&o=3")
    }

    @Test("Arrays are repeated, bracketed or joined with commas")
    func arrays() throws {
        let query: Query = ["t": ["a", "b,c"], "n": [1, 2]]
        #expect(try query.encoded() == "t=a&t=b%2Cc&n=1&n=2")
        #expect(try query.arrays(.brackets).encoded() == "t%5B%5D=a&t%5B%5D=b%2Cc&n%5B%5D=1&n%5B%5D=2")
        #expect(try query.arrays(.commas).encoded() == "t=a%2Cb%2Cc&n=1%2C2")
        #expect(try (["t": [String]()] as Query).arrays(.commas).encoded() == "")
    }

    @Test("The members of a value are encoded with the client's encoder, nested ones in brackets")
    func members() throws {
        let filter = Filter(createdAfter: Date(timeIntervalSince1970: 0), tags: ["x"], owner: Owner(name: "n"))
        #expect(try Query(filter).encoded(with: .snakeCase) == "created_after=1970-01-01T00%3A00%3A00Z&owner%5Bname%5D=n&tags=x")
    }

    @Test("A value without members, or one that can't be encoded, is refused with its type")
    func refused() {
        #expect(throws: HTTPError.encodingFailed("a query is made of a value with members, and Int has none")) {
            try Query(7).encoded()
        }
        #expect(throws: HTTPError.self) { try (["x": Double.nan] as Query).encoded() }
    }

    @Test("A form writes a space as a plus and escapes what browsers escape (WHATWG URL §5)")
    func form() throws {
        #expect(try (["a b": "c&d", "e": "*-._~+", "n": 1] as Form).encoded() == "a+b=c%26d&e=*-._%7E%2B&n=1")
    }
}

@Suite("Query and form: numbers keep every digit")
struct ParameterNumberTests {
    private struct Numbers: Encodable, Sendable {
        var big = UInt64.max
        var small = Int64.min
        var price = Decimal(string: "12345678901234567890.123456789")!
        var half = 0.1
        var tiny = 1e-7
        var flag = true
    }

    @Test("Integers beyond 64 bits signed and Decimals, given by themselves or as members")
    func digits() async throws {
        let numbers = Numbers()
        let alone: Query = ["big": numbers.big, "small": numbers.small, "price": numbers.price, "byte": UInt8(7), "half": 0.1]
        let expected = "big=18446744073709551615&small=-9223372036854775808&price=12345678901234567890.123456789&byte=7&half=0.1"
        #expect(try Request<Data>.get("", query: alone).httpRequest(baseURL: URL(string: "https://h/")).url.query == expected)
        let members = try Request<Data>.get("", query: Query(numbers)).httpRequest(baseURL: URL(string: "https://h/")).url.query
        #expect(
            members
                == "big=18446744073709551615&flag=true&half=0.1&price=12345678901234567890.123456789&small=-9223372036854775808&tiny=1e-07")
    }
}
