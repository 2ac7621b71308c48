import Foundation
import MartletClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct QueryTests {
    enum Order: String, Codable { case newestFirst = "newest first" }
    struct Filter: Codable, Sendable { var createdAfter: Date, tags: [String], owner: Owner? }
    struct Owner: Codable, Sendable { var name: String }

    @Test("Pairs keep their order, nil is dropped, and a name may occur several times")
    func order() throws {
        let none: String? = nil
        #expect(try (["z": 1, "a": none, "m": "x", "z": 2] as Query).encoded() == "z=1&m=x&z=2")
    }

    @Test("Every character except the unreserved ones is escaped, including a plus (RFC 3986 §2.3)")
    func escaping() throws {
        #expect(try (["a b": "c+d&e=f/g?é"] as Query).encoded() == "a%20b=c%2Bd%26e%3Df%2Fg%3F%C3%A9")
    }

    @Test("Numbers, Booleans, dates, identifiers, enums and Optionals are written as text")
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
        #expect(throws: HTTPError.encodingFailed("a query needs a value with members, and Int has none")) {
            try Query(7).encoded()
        }
        #expect(throws: HTTPError.self) { try (["x": Double.nan] as Query).encoded() }
    }

    @Test("A form writes a space as a plus and escapes what browsers escape (WHATWG URL §5)")
    func form() throws {
        #expect(try (["a b": "c&d", "e": "*-._~+", "n": 1] as Form).encoded() == "a+b=c%26d&e=*-._%7E%2B&n=1")
    }
}

@Suite("Query and form: numbers keep every digit", .timeLimit(.minutes(5)))
struct ParameterNumberTests {
    private struct Numbers: Encodable, Sendable {
        var big = UInt64.max
        var small = Int64.min
        var price = Decimal(string: "12345678901234567890.123456789")!
        var half = 0.1
        var tiny = 1e-7
        var flag = true
    }

    @Test("Integers beyond Int64 and Decimals keep every digit, as values and as members")
    func digits() async throws {
        let numbers = Numbers()
        let alone: Query = ["big": numbers.big, "small": numbers.small, "price": numbers.price, "byte": UInt8(7), "half": 0.1]
        let expected = "big=18446744073709551615&small=-9223372036854775808&price=12345678901234567890.123456789&byte=7&half=0.1"
        #expect(try Request<Data>.get("", query: alone).httpRequest(baseURL: URL(string: "https://h/")).url.query == expected)
        let members = try Request<Data>.get("", query: Query(numbers)).httpRequest(baseURL: URL(string: "https://h/")).url.query
        #expect(
            members
                == "big=18446744073709551615&flag=true&half=0.1&price=12345678901234567890.123456789&small=-9223372036854775808&tiny=0.0000001"
        )
    }

    private struct Wide<Value: Encodable & Sendable>: Encodable, Sendable { var n: Value }

    private func both(_ value: some Encodable & Sendable) throws -> [String] {
        [try (["n": value] as Query).encoded(), try Query(Wide(n: value)).encoded(), try Form(Wide(n: value)).encoded()]
    }

    @Test("The extreme values of every integer type are written exactly, in queries and forms")
    func widths() throws {
        #expect(try both(Int8.min) == Array(repeating: "n=-128", count: 3))
        #expect(try both(UInt16.max) == Array(repeating: "n=65535", count: 3))
        #expect(try both(Int32.min) == Array(repeating: "n=-2147483648", count: 3))
        #expect(try both(UInt.max) == Array(repeating: "n=18446744073709551615", count: 3))
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            #expect(try both(Int128.min) == Array(repeating: "n=\(Int128.min)", count: 3))
            #expect(try both(UInt128.max) == Array(repeating: "n=\(UInt128.max)", count: 3))
        }
    }

    @Test(
        "A Decimal is written with all its digits and without an exponent",
        arguments: ["100000000000000000000", "99999999999999999999999999999999999999", "0.00000000000000000001", "-0.1", "1.50", "0"])
    func decimals(text: String) throws {
        let decimal = try #require(Decimal(string: text))
        #expect(try both(decimal) == Array(repeating: "n=\(text == "1.50" ? "1.5" : text)", count: 3))
    }

    @Test("A value that is not a number can't be encoded")
    func notANumber() throws {
        #expect(throws: HTTPError.self) { try (["n": Decimal.nan] as Query).encoded() }
        #expect(throws: HTTPError.self) { try (["n": Double.nan] as Query).encoded() }
    }

    @Test("A Double is written as the shortest text that reads back equal")
    func doubles() throws {
        #expect(try both(0.1) == Array(repeating: "n=0.1", count: 3))
        #expect(try both(1e300) == Array(repeating: "n=1e%2B300", count: 3))
        #expect(try both(Float(0.1)) == Array(repeating: "n=0.1", count: 3))
    }
}
