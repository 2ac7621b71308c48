import EndpointGenerator
import Foundation
import Testing

@Suite("Samples", .timeLimit(.minutes(5)))
struct SampleTests {
    @Test("Invalid JSON is an error with file, line and column")
    func malformed() {
        let error = #expect(throws: GeneratorError.self) { try sample("{\n  \"a\": 1,\n  \"b\": }") }
        #expect(error == .invalidSample(file: "sample.json", line: 3, column: 8, reason: "a value was expected"))
        #expect(error?.description == "sample.json:3:8: the sample is not valid JSON: a value was expected")
    }

    @Test("An empty sample is an error that says what to do", arguments: ["", " \n\t", "\u{FEFF}"])
    func empty(_ text: String) {
        #expect(throws: GeneratorError.emptySample(file: "sample.json")) { try sample(text) }
    }

    @Test("A sample that is nested deeper than the limit is an error")
    func deep() throws {
        #expect(throws: GeneratorError.tooDeep(file: "sample.json", line: 1, column: 3, limit: 2)) { try sample("[[[1]]]", maxDepth: 2) }
        _ = try sample("[[1]]", maxDepth: 2)
        #expect(throws: GeneratorError.self) { try sample(String(repeating: "[", count: 100_000)) }
    }

    @Test("A member that is missing or null in one object or sample is Optional")
    func optional() throws {
        let lines = try lines(#"{"a":1,"b":1,"c":null,"d":1}"#, #"{"a":2,"c":"x","d":null,"e":1}"#)
        #expect(lines.contains("let a: Int") && lines.contains("let b: Int?") && lines.contains("let c: String?"))
        #expect(lines.contains("let d: Int?") && lines.contains("let e: Int?"))
    }

    @Test("The elements of an array are merged, and null among them makes them Optional")
    func elements() throws {
        let lines = try lines(#"{"a":[{"x":1},{"x":1.5,"y":"t"}],"b":[1,null],"c":[],"d":[1,"x"],"e":[[1],[]]}"#)
        #expect(lines.contains("let x: Double") && lines.contains("let y: String?") && lines.contains("let b: [Int?]"))
        #expect(lines.contains("let c: [JSONValue]") && lines.contains("let d: [JSONValue]") && lines.contains("let e: [[Int]]"))
    }

    @Test(
        "A number has the smallest type that holds all samples",
        arguments: [
            ("1", "Int"), ("2147483647", "Int"), ("2147483648", "Int"), ("-9223372036854775808", "Int"),
            ("9223372036854775808", "UInt64"), ("18446744073709551616", "Decimal"), ("1.0", "Double"), ("1e3", "Double"),
            ("\(String(repeating: "9", count: 39))", "JSONNumber"),
        ])
    func numbers(_ number: String, _ type: String) throws {
        #expect(try lines(#"{"a":\#(number)}"#).contains("let a: \(type)"))
    }

    @Test("Integers of one type are Int, and the checklist names those beyond 32 bits")
    func wide() throws {
        let endpoint = try plan("GET", "/things", [#"{"id":17000000001,"count":3}"#]).generate()
        #expect(endpoint.files[0].text.contains("let id: Int\n") && endpoint.files[0].text.contains("let count: Int\n"))
        #expect(
            endpoint.checklist.filter { $0.contains("32 bits") } == [
                "Response: id: Int beyond 32 bits, which it has on older Apple watches. For an app that runs there, write Int64."
            ])
    }

    @Test(
        "A number that looks like a Unix time is named in the checklist if its name means a time",
        arguments: [
            (#"{"created":1767225600}"#, ".secondsSince1970"), (#"{"updated_at":1767225600.25}"#, ".secondsSince1970"),
            (#"{"lastSeen":[1767225600123,1767225601000]}"#, ".millisecondsSince1970"), (#"{"exp":1767225600}"#, ".secondsSince1970"),
            (#"{"id":1767225600}"#, nil), (#"{"created":3}"#, nil), (#"{"created":1767225600e5}"#, nil),
            (#"{"expires":[1767225600,5]}"#, nil), (#"{"attempts":1767225600}"#, nil),
        ])
    func unixTimes(_ json: String, _ strategy: String?) throws {
        let steps = try plan("GET", "/things", [json]).generate().checklist.filter { $0.contains("Unix time") }
        #expect(steps.count == (strategy == nil ? 0 : 1))
        if let strategy { #expect(steps.first?.contains(" to \(strategy).") == true) }
    }

    @Test("A number that is too large for a Double is an error")
    func infinite() {
        let error = #expect(throws: GeneratorError.self) { try sample(#"{"a": 1e999}"#) }
        #expect(error == .invalidSample(file: "sample.json", line: 1, column: 7, reason: "the number is too large for a Double"))
    }

    @Test("A negative number beside one above Int64 is a Decimal, and --decimal replaces Double")
    func mixedNumbers() throws {
        #expect(try lines(#"{"a":[9223372036854775808,-1]}"#).contains("let a: [Decimal]"))
        #expect(try lines(#"{"a":[1,2.5]}"#) { $0.usesDecimal = true }.contains("let a: [Decimal]"))
    }

    @Test(
        "A string is a date only if the default decoder reads it, and a URL only if URL keeps it",
        arguments: [
            ("2026-03-01T09:30:00Z", "Date"), ("2026-03-01T09:30:00.123456+02:00", "Date"), ("2026-02-30T09:30:00Z", "String"),
            ("2026-03-01", "String"), ("2026-03-01 09:30:00", "String"), ("2026-03-01T09:30:00", "String"),
            ("0B5D1E7A-2C34-4F6B-8A9D-000000000000", "UUID"), ("https://a.example/b?c=d", "URL"), ("https://", "String"),
            ("https://a.example/b c", "String"), ("ftp://a.example/", "String"), ("/relative", "String"),
        ])
    func strings(_ text: String, _ type: String) throws {
        #expect(try lines(#"{"a":"\#(text)"}"#).contains("let a: \(type)"))
    }

    @Test("A member that occurs twice is reported, and its first value counts")
    func duplicates() throws {
        let endpoint = try plan("GET", "/things", [#"{"a":1,"a":"x"}"#]).generate()
        #expect(endpoint.files[0].text.contains("let a: Int\n"))
        #expect(endpoint.checklist.contains { $0.hasPrefix("Response: a: occurs twice") })
    }

    @Test("A number or date that the coders don't read and write keeps its text")
    func outOfRange() throws {
        let json = #"{"a":1e-400,"b":1e200,"c":0.5,"d":0.1234567890123456789012345678901234567890,"e":"0000-01-01T00:00:00Z","f":0e-9}"#
        let doubles = try lines(json), decimals = try lines(json) { $0.usesDecimal = true }
        #expect(doubles.contains("let a: JSONNumber") && doubles.contains("let b: Double") && doubles.contains("let f: Double"))
        #expect(doubles.contains("let e: String"))
        for name in ["a", "b", "d"] { #expect(decimals.contains("let \(name): JSONNumber"), "\(name)") }
        #expect(decimals.contains("let c: Decimal"))
    }
}
