import Testing

@Suite("Swift code without comments and strings", .timeLimit(.minutes(5)))
struct SwiftCodeTests {
    @Test(
        "Comments go, block comments with those inside them",
        arguments: [
            ("a // b\nc", "a \nc"), ("a /* b /* c */ d */ e", "a   e"), ("a /// b", "a "), ("/* open", " "), ("a / b", "a / b"),
        ])
    func comments(source: String, code: String) {
        #expect(SwiftCode.only(source) == code)
    }

    @Test(
        "What strings say goes, whatever their fences",
        arguments: [
            (#"a "b" c"#, #"a "" c"#), (#"a "b\"c" d"#, #"a "" d"#), (#"a "\\" b"#, #"a "" b"#), (##"a #"b"c"# d"##, #"a "" d"#),
            ("a \"\"\"\nb \"c\" d\n\"\"\" e", #"a "" e"#), (#"a "// b" c"#, #"a "" c"#), ("#if a", "#if a"), (#"a "open"#, #"a """#),
        ])
    func strings(source: String, code: String) {
        #expect(SwiftCode.only(source) == code)
    }

    @Test(
        "Interpolations stay, with the strings inside them taken out",
        arguments: [
            (#""x\(a(b) + "y\(c)")z" d"#, #"" a(b) + " c " " d"#), (##"#"x\#(a)\(b)"# c"##, #"" a " c"#),
        ])
    func interpolations(source: String, code: String) {
        #expect(SwiftCode.only(source).replacing("  ", with: " ") == code.replacing("  ", with: " "))
    }
}
