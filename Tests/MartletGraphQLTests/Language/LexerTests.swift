import Testing

@testable import MartletGraphQL

@Suite("Lexer", .timeLimit(.minutes(5)))
struct LexerTests {
    /// Parses the only argument of a document's only field.
    private func value(_ literal: String) throws -> ValueLiteral? {
        let document = try ExecutableDocument.parse("{a(b:\(literal))}")
        guard case .field(let field) = document.operations[0].selectionSet.selections[0] else { return nil }
        return field.arguments[0].value
    }

    @Test("White space, line ends, commas, comments and byte order marks between tokens are ignored (GraphQL §2.1)")
    func ignored() throws {
        let text = "\u{FEFF}\u{FEFF} \t,,\r\n# { ü 🦋 }\r query# Q\n,Q\r\n{,,a,\u{FEFF}b#\n}#}"
        let document = try ExecutableDocument.parse(text)
        #expect(document.operations[0].name == "Q")
        #expect(document.operations[0].selectionSet.selections.count == 2)
        #expect(document.operations[0].line == 3)
        #expect(document.operations[0].column == 2)
    }

    @Test(
        "CR, LF and CR LF each end one line, and a column counts Unicode scalars (GraphQL §2.1.2)",
        arguments: [
            SyntaxErrorCase("\n!", "2:1"), SyntaxErrorCase("\r!", "2:1"), SyntaxErrorCase("\r\n!", "2:1"), SyntaxErrorCase("\n\r!", "3:1"),
            SyntaxErrorCase("\r\r\n\n!", "4:1"), SyntaxErrorCase("\n\n\r\r  !", "5:3"), SyntaxErrorCase("\u{FEFF}!", "1:2"),
            SyntaxErrorCase("{a(b:\"ü🦋e\u{301}\")!", "1:13"), SyntaxErrorCase("{a(b:\"\"\"ü\r\n🦋\r🦋\"\"\")!", "3:6"),
            SyntaxErrorCase("#🦋\n#ü🦋\r\n\t!", "3:2"), SyntaxErrorCase("{a(b:\"\\u{1F98B}\")!", "1:18"),
        ])
    func places(_ refused: SyntaxErrorCase) throws {
        let found = try #require(refused.found)
        #expect(found.hasPrefix(refused.expected + ": expected"))
        #expect(found.hasSuffix("found \"!\""))
    }

    @Test(
        "The escapes of a string are decoded (GraphQL §2.9.4)",
        arguments: [
            (#""""#, ""), (#""simple""#, "simple"), (#"" white, # space ""#, " white, # space "),
            (#""\" \\ \/ \b\f\n\r\t""#, "\" \\ / \u{8}\u{C}\n\r\t"),
            (#""\u00e9\u00E9\u0000""#, "éé\0"), (#""\u{e9}\u{1F98B}\u{0000000000e9}\u{10FFFF}""#, "é🦋é\u{10FFFF}"),
            (#""\uD83E\uDD8B\ud800\udc00\uDBFF\uDFFF""#, "🦋\u{10000}\u{10FFFF}"), (#""ü🦋\#u{7}""#, "ü🦋\u{7}"), (#""\\u0041""#, "\\u0041"),
        ])
    func strings(_ literal: String, _ expected: String) throws {
        #expect(try value(literal) == .string(expected))
    }

    @Test(
        "Unterminated strings and invalid escapes are errors at their position",
        arguments: [
            SyntaxErrorCase("{a(b:\"", "1:7: expected '\"' at the end of the string, found the end of the document"),
            SyntaxErrorCase("{a(b:\"c\n\")}", "1:8: expected '\"' at the end of the string, found the end of the line"),
            SyntaxErrorCase("{a(b:\"c\r\")}", "1:8: expected '\"' at the end of the string, found the end of the line"),
            SyntaxErrorCase("{a(b:\"\"\"c\n\"\"", "2:3: expected '\"\"\"' at the end of the string, found the end of the document"),
            SyntaxErrorCase(#"{a(b:"""\""")}"#, "1:15: expected '\"\"\"' at the end of the string, found the end of the document"),
            SyntaxErrorCase(#"{a(b:"\z")}"#, "1:8: expected one of \" \\ / b f n r t u after \"\\\", found \"z\""),
            SyntaxErrorCase("{a(b:\"\\\n\")}", "1:8: expected one of \" \\ / b f n r t u after \"\\\", found the end of the line"),
            SyntaxErrorCase(#"{a(b:"\"#, "1:8: expected one of \" \\ / b f n r t u after \"\\\", found the end of the document"),
            SyntaxErrorCase(#"{a(b:"\u12G4")}"#, "1:11: expected a hexadecimal digit, found \"G\""),
            SyntaxErrorCase(#"{a(b:"\u{}")}"#, "1:10: expected a hexadecimal digit, found \"}\""),
            SyntaxErrorCase(#"{a(b:"\u{1F98B")}"#, "1:15: expected a hexadecimal digit, found '\"'".replacing("'\"'", with: "\"\"\"")),
            SyntaxErrorCase(#"{a(b:"\u{110000}")}"#, #"1:7: expected an escape of a Unicode scalar value, found "\u{110000}""#),
            SyntaxErrorCase(
                #"{a(b:"\u{FFFFFFFFFFFFFFFFF}")}"#, #"1:7: expected an escape of a Unicode scalar value, found "\u{FFFFFFFFFFFFFFFFF}""#),
            SyntaxErrorCase(#"{a(b:"\u{D83E}\u{DD8B}")}"#, #"1:7: expected an escape of a Unicode scalar value, found "\u{D83E}""#),
            SyntaxErrorCase(#"{a(b:"\uD83E")}"#, #"1:7: expected an escape of a Unicode scalar value, found "\uD83E""#),
            SyntaxErrorCase(#"{a(b:"\uDD8B\uD83E")}"#, #"1:7: expected an escape of a Unicode scalar value, found "\uDD8B""#),
            SyntaxErrorCase(#"{a(b:"\uD83E\uD83E")}"#, #"1:7: expected an escape of a Unicode scalar value, found "\uD83E\uD83E""#),
            SyntaxErrorCase(#"{a(b:"\uD83E\n")}"#, #"1:7: expected an escape of a Unicode scalar value, found "\uD83E""#),
        ])
    func brokenStrings(_ refused: SyntaxErrorCase) {
        #expect(refused.found == refused.expected)
    }

    @Test(
        "A block string loses its common indentation and surrounding blank lines (GraphQL §2.9.4)",
        arguments: [
            ("\n      Hello,\n        World!\n\n      Yours,\n        GraphQL.\n    ", "Hello,\n  World!\n\nYours,\n  GraphQL."),
            (
                "\nThis starts with and ends with an empty new line,\nwhich makes it easier to read.\n",
                "This starts with and ends with an empty new line,\nwhich makes it easier to read."
            ),
            (
                "This does not start with or end with any empty lines,\nwhich makes it a little harder to read.",
                "This does not start with or end with any empty lines,\nwhich makes it a little harder to read."
            ),
            ("", ""), (" \n\t\r\n  ", ""), (" one ", " one "), ("a\n    b\n  c", "a\n  b\nc"), ("  a\n\tb\n\t\tc", "  a\nb\n\tc"),
            ("\n  a\r  b\r\n  c\n", "a\nb\nc"), ("\n    a\n \n    b", "a\n\nb"), ("\n    a\n      \n    b", "a\n  \nb"),
            (#"\n \u0041 \""" " "" \\ "#, #"\n \u0041 """ " "" \\ "#), ("\n  ü\n  🦋 # no comment", "ü\n🦋 # no comment"),
        ])
    func blockStrings(_ content: String, _ expected: String) throws {
        #expect(try value("\"\"\"\(content)\"\"\"") == .string(expected))
    }

    @Test("Integers keep every digit (GraphQL §2.9.1, §2.9.2)", arguments: ["0", "-0", "7", "-12", "123456789012345678901234567890"])
    func integers(_ literal: String) throws { #expect(try value(literal) == .integer(literal)) }

    @Test("Numbers with a fraction or an exponent keep every digit", arguments: ["0.0", "-1.50", "1e5", "1E-5", "0.1e+10", "12.340E00"])
    func floats(_ literal: String) throws { #expect(try value(literal) == .float(literal)) }

    @Test(
        "A malformed number is an error at the first invalid character",
        arguments: [
            SyntaxErrorCase("{a(b:00)}", "1:7: expected the end of the number, found \"0\""),
            SyntaxErrorCase("{a(b:-)}", "1:7: expected a digit, found \")\""),
            SyntaxErrorCase("{a(b:1.)}", "1:8: expected a digit, found \")\""),
            SyntaxErrorCase("{a(b:1.e1)}", "1:8: expected a digit, found \"e\""),
            SyntaxErrorCase("{a(b:1e)}", "1:8: expected a digit, found \")\""),
            SyntaxErrorCase("{a(b:1e+", "1:9: expected a digit, found the end of the document"),
            SyntaxErrorCase("{a(b:0x1F)}", "1:7: expected the end of the number, found \"x\""),
            SyntaxErrorCase("{a(b:1_000)}", "1:7: expected the end of the number, found \"_\""),
            SyntaxErrorCase("{a(b:1.2.3)}", "1:9: expected the end of the number, found \".\""),
            SyntaxErrorCase("{a(b:.5)}", "1:6: expected a value, found \".\""),
            SyntaxErrorCase("{a(b:+5)}", "1:6: expected a value, found \"+\""),
        ])
    func brokenNumbers(_ refused: SyntaxErrorCase) {
        #expect(refused.found == refused.expected)
    }

    @Test(
        "An invalid character is named in the error, or shown as a code point if it is invisible",
        arguments: [
            SyntaxErrorCase("{a ~}", "1:4: expected a field, \"...\" or \"}\", found \"~\""),
            SyntaxErrorCase("{ü}", "1:2: expected a field or \"...\", found \"ü\""),
            SyntaxErrorCase("{🦋}", "1:2: expected a field or \"...\", found \"🦋\""),
            SyntaxErrorCase("{\u{0}}", "1:2: expected a field or \"...\", found \"U+0000\""),
            SyntaxErrorCase("{\u{A0}}", "1:2: expected a field or \"...\", found \"U+00A0\""),
            SyntaxErrorCase("{\u{200B}}", "1:2: expected a field or \"...\", found \"U+200B\""),
            SyntaxErrorCase("{..a}", "1:2: expected a field or \"...\", found \".\""),
            SyntaxErrorCase("{a(b:'c')}", "1:6: expected a value, found \"'\" (strings are written in double quotes)"),
            SyntaxErrorCase(
                "\(String(repeating: "x", count: 50))",
                "1:1: expected an operation or a fragment, found \"\(String(repeating: "x", count: 40))…\""),
        ])
    func strayCharacters(_ refused: SyntaxErrorCase) {
        #expect(refused.found == refused.expected)
    }
}
