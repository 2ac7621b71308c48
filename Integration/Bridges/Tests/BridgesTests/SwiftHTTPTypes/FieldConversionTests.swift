#if SwiftHTTPTypes
import HTTPTypes
import Martlet
import MartletBridges
import MartletTesting
import Testing

struct FieldConversionTests {
    /// A line of fields, compared byte for byte.
    struct Line: Equatable {
        let name: String
        let value: [UInt8]

        static func all(_ fields: HTTPTypes::HTTPFields) -> [Line] {
            fields.map { field in Line(name: field.name.rawName, value: field.withUnsafeBytesOfValue { Array($0) }) }
        }

        static func all(_ fields: Martlet::HTTPFields) -> [Line] {
            var lines: [Line] = []
            fields.forEachLineOfBytes { lines.append(Line(name: String(decoding: $0, as: UTF8.self), value: Array($1))) }
            return lines
        }
    }

    /// Creates random fields with few names, so that names repeat.
    struct Generator {
        let random: SeededRandom

        mutating func number(below bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

        mutating func bytes(_ count: Int, of set: [UInt8]) -> [UInt8] { (0..<count).map { _ in set[number(below: set.count)] } }

        mutating func value() -> [UInt8] {
            let visible = Array(UInt8(0x21)...0x7E) + Array(UInt8(0x80)...0xFF)
            let count = [0, 1, 2, 3, 17, 200][number(below: 6)]
            guard count > 2 else { return bytes(count, of: visible) }
            return bytes(1, of: visible) + bytes(count - 2, of: visible + [0x20, 0x09]) + bytes(1, of: visible)
        }

        mutating func line() -> Line {
            let names = ["X-A", "x-a", "Set-Cookie", "SET-COOKIE", "Cookie", "!#$%&'*+-.^_`|~", "Authorization", "9"]
            return Line(name: names[number(below: names.count)], value: value())
        }
    }

    @Test("Random fields with bytes outside ASCII keep their order, case and bytes in both directions", arguments: 0..<50 as Range<UInt64>)
    func randomFields(seed: UInt64) throws {
        var generator = Generator(random: SeededRandom(seed: seed))
        let lines = (0..<generator.number(below: 40)).map { _ in generator.line() }
        var theirs = HTTPTypes::HTTPFields(), ours = Martlet::HTTPFields()
        for line in lines {
            theirs.append(HTTPTypes::HTTPField(name: try #require(.init(line.name)), value: line.value))
            ours.append(nameBytes: line.name.utf8, valueBytes: line.value)
        }
        #expect(Line.all(theirs) == lines)
        #expect(Line.all(try Martlet::HTTPFields(theirs)) == lines)
        #expect(Line.all(try HTTPTypes::HTTPFields(ours)) == lines)
        #expect(try HTTPTypes::HTTPFields(Martlet::HTTPFields(theirs)) == theirs)
        #expect(try Martlet::HTTPFields(HTTPTypes::HTTPFields(ours)) == ours)
    }

    @Test("A value of 100,000 bytes and control characters are not changed")
    func unusualValues() throws {
        let long = [UInt8](repeating: 0xE9, count: 100_000), control: [UInt8] = [0x41, 0x01, 0x7F, 0x42]
        var theirs: HTTPTypes::HTTPFields = [:]
        theirs.append(HTTPTypes::HTTPField(name: try #require(.init("X-Long")), value: long))
        theirs.append(HTTPTypes::HTTPField(name: try #require(.init("X-Control")), lenientValue: control))
        let ours = try Martlet::HTTPFields(theirs)
        let isSame = ours.bytes(for: "x-long") == [long]
        #expect(isSame)
        #expect(ours.bytes(for: "x-control") == [control])
        #expect(ours.firstInvalidLine?.name == "X-Control")
        let comesBack = Line.all(try HTTPTypes::HTTPFields(ours)) == Line.all(theirs)
        #expect(comesBack)
    }

    @Test("A value with white space around it, which Martlet does not store, is an error", arguments: [" a", "a ", "\ta", "a\t", " "])
    func outerWhitespace(value: String) throws {
        var theirs: HTTPTypes::HTTPFields = [:]
        theirs.append(HTTPTypes::HTTPField(name: try #require(.init("X-Pin")), lenientValue: Array(value.utf8)))
        let error = #expect(throws: HTTPError.self) { try Martlet::HTTPFields(theirs) }
        #expect(error == .invalidRequest)
        #expect(error.map { "\($0)" }?.contains("X-Pin") == true)
    }

    @Test(
        "A line that swift-http-types can't contain is an error that does not show its value",
        arguments: [("X Pin", "1234"), ("", "1234"), (":path", "1234"), ("X-Pin", "12\r\n34"), ("X-Pin", "12\u{0}34"), ("X-Pïn", "1234")])
    func unconvertibleLine(name: String, value: String) {
        var ours: Martlet::HTTPFields = ["X-First": "1"]
        ours.append(nameBytes: name.utf8, valueBytes: value.utf8)
        let error = #expect(throws: HTTPError.self) { try HTTPTypes::HTTPFields(ours) }
        #expect(error == .invalidRequest)
        #expect(error.map { "\($0)" }?.contains("34") == false)
    }

    @Test("More lines than swift-http-types allows are an error, and the greatest allowed number is converted")
    func numberOfLines() throws {
        var ours = Martlet::HTTPFields()
        for _ in 0..<65_534 { ours.append("A", "") }
        #expect(try HTTPTypes::HTTPFields(ours).count == 65_534)
        ours.append("A", "")
        #expect(throws: HTTPError.invalidRequest) { try HTTPTypes::HTTPFields(ours) }
    }

    @Test("A field that must not be indexed is a credential, and a marked credential must not be indexed")
    func credentials() throws {
        var theirs: HTTPTypes::HTTPFields = [:]
        var field = HTTPTypes::HTTPField(name: try #require(.init("X-Pin")), value: "1234")
        field.indexingStrategy = .disallow
        theirs.append(field)
        theirs[.accept] = "*/*"
        theirs[.authorization] = "Bearer abc"
        let ours = try Martlet::HTTPFields(theirs)
        #expect(ours.map(\.isCredential) == [true, false, true])
        #expect(!"\(ours)".contains("1234"))
        let back = try HTTPTypes::HTTPFields(ours)
        #expect(back == theirs)
        #expect(back.map(\.indexingStrategy) == [.disallow, .automatic, .automatic])
    }
}
#endif
