import Testing

@testable import MartletHTTP

@Suite("HTTPFields: reading and writing", .timeLimit(.minutes(5)))
struct HTTPFieldsTests {
    @Test("Lines keep their order, their duplicates and their case (RFC 9110 §5.3)")
    func order() {
        var fields: HTTPFields = ["B": "1", "a": "2"]
        fields.append("b", "3")
        #expect(fields.map(\.name.rawName) == ["B", "a", "b"])
        #expect(fields.map(\.value) == ["1", "2", "3"])
        #expect(fields.count == 3)
        #expect(!fields.isEmpty)
        #expect(HTTPFields().isEmpty)
    }

    @Test("A name is found whatever its case (RFC 9110 §5.1)")
    func caseInsensitive() {
        let fields: HTTPFields = ["Content-Type": "text/plain"]
        #expect(fields["content-type"] == "text/plain")
        #expect(fields["CONTENT-TYPE"] == "text/plain")
        #expect(fields.contains("cOnTeNt-tYpE"))
        #expect(fields["Content-Typ"] == nil)
        #expect(fields["Content-Types"] == nil)
        #expect(!fields.contains("Content"))
    }

    @Test("Several lines with one name are joined with a comma and a space (RFC 9110 §5.3)")
    func joining() {
        let fields: HTTPFields = ["Accept": "a", "X": "-", "ACCEPT": "b", "accept": ""]
        #expect(fields[.accept] == "a, b, ")
        #expect(fields.values(for: .accept) == ["a", "b", ""])
    }

    @Test("Set-Cookie is never joined: reading it returns the first line (RFC 9110 §5.3)")
    func setCookie() {
        let fields: HTTPFields = ["set-cookie": "a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "Set-Cookie": "b=2"]
        #expect(fields[.setCookie] == "a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(fields.values(for: .setCookie) == ["a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "b=2"])
    }

    @Test("Lines with values that are only equal in Unicode are different")
    func bytesOfValues() {
        let composed: HTTPFields = ["X": "é"], other: HTTPFields = ["X": "e\u{301}"]
        #expect(composed.first != other.first && composed != other && composed.first == (["x": "é"] as HTTPFields).first)
    }

    @Test("An empty value is a value")
    func emptyValue() {
        let fields: HTTPFields = ["X": ""]
        #expect(fields["X"] == "")
        #expect(fields.contains("X"))
        #expect(fields.firstInvalidLine == nil)
    }

    @Test("Setting a value replaces all lines with the name, at the position of the first")
    func setting() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]
        fields["a"] = "6"
        #expect(fields.map(\.name.rawName) == ["a", "B", "C"])
        #expect(fields.map(\.value) == ["6", "2", "4"])
        fields["D"] = "7"
        #expect(fields.map(\.value) == ["6", "2", "4", "7"])
    }

    @Test("Setting nil removes all lines with the name")
    func removing() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3"]
        fields["A"] = nil
        #expect(fields.map(\.value) == ["2"])
        fields["missing"] = nil
        fields.remove("b")
        #expect(fields.isEmpty)
    }

    @Test("White space around a value is removed, and white space within is kept (RFC 9110 §5.5)")
    func whitespace() {
        var fields = HTTPFields()
        fields.append("X", " \t a \t b \t ")
        fields["Y"] = "  "
        fields.append(nameBytes: Array("Z".utf8), valueBytes: Array("\tz ".utf8))
        #expect(fields.map(\.value) == ["a \t b", "", "z"])
    }

    @Test("Adding missing fields keeps existing ones and adds each line of a missing name")
    func addMissing() {
        var fields: HTTPFields = ["accept": "own"]
        fields.addMissing(["Accept": "default", "Link": "<a>", "link": "<b>"])
        #expect(fields.map(\.value) == ["own", "<a>", "<b>"])
    }

    @Test("Fields contain a name of others whatever its case, and a line of others if its value has the same bytes")
    func comparing() {
        let fields: HTTPFields = ["Accept": "a", "X-Trace": "1", "x-trace": "12"]
        #expect(fields.containsName(of: ["Host": "b", "ACCEPT": "other"]))
        #expect(!fields.containsName(of: ["Host": "b", "Accep": "a"]) && !fields.containsName(of: [:]))
        #expect(fields.containsLines(of: ["accept": "a", "X-TRACE": "12"]) && fields.containsLines(of: [:]))
        #expect(!fields.containsLines(of: ["accept": "a", "X-Trace": "2"]) && !fields.containsLines(of: ["Accept": "A"]))
    }

    @Test("Replacing takes all lines of each name from the other fields, including duplicates, and keeps the rest")
    func replace() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3"]
        fields.replace(with: ["a": "4", "A": "5", "C": "6"])
        #expect(fields.map(\.value) == ["2", "4", "5", "6"])
        fields.replace(with: [:])
        #expect(fields.count == 4)
        var empty = HTTPFields()
        empty.replace(with: fields)
        #expect(empty == fields)
    }

    @Test("A copy is independent")
    func valueSemantics() {
        let original: HTTPFields = ["A": "1"]
        var copy = original
        copy["A"] = "2"
        copy.append("B", "3")
        #expect(original.map(\.value) == ["1"])
        #expect(copy.map(\.value) == ["2", "3"])
    }

    @Test("Fields are equal when each name has the same values in the same order; the order of names has no meaning (RFC 9110 §5.3)")
    func equality() {
        let fields: HTTPFields = ["A": "1", "B": "2", "A": "3"]
        #expect(fields == ["b": "2", "a": "1", "a": "3"])
        #expect(fields.hashValue == (["b": "2", "a": "1", "a": "3"] as HTTPFields).hashValue)
        #expect(fields != ["A": "3", "B": "2", "A": "1"])
        #expect(fields != ["A": "1", "B": "2"])
        #expect(fields != ["A": "1", "B": "2", "C": "3"])
        #expect(fields != ["A": "1", "B": "2", "A": "3", "A": "3"])
        #expect((["A": "x"] as HTTPFields) != ["A": "X"])
    }

    @Test("Replaced lines do not count for equality")
    func equalityAfterReplacing() {
        var fields: HTTPFields = ["A": "long old value", "B": "2"]
        fields["A"] = "1"
        #expect(fields == ["A": "1", "B": "2"])
    }

    @Test("Names that are not valid UTF-8 are compared with their values")
    func equalityOfBrokenNames() {
        var left = HTTPFields(), right = HTTPFields()
        left.append(nameBytes: [0xE9], valueBytes: Array("1".utf8))
        right.append(nameBytes: [0xE9], valueBytes: Array("2".utf8))
        #expect(left != right)
        #expect(left == left)
    }
}

@Suite("HTTPFields: bytes and validity", .timeLimit(.minutes(5)))
struct HTTPFieldsBytesTests {
    @Test("The bytes of a value are stored unchanged")
    func bytesKept() {
        var fields = HTTPFields()
        fields.append(nameBytes: Array("X-Raw".utf8), valueBytes: [0x63, 0xE9, 0x20, 0xFF])
        fields.append("x-raw", "é")
        #expect(fields.bytes(for: "X-RAW") == [[0x63, 0xE9, 0x20, 0xFF], [0xC3, 0xA9]])
        #expect(fields.bytes(for: "other").isEmpty)
    }

    @Test("A value is read as UTF-8 if it is valid, otherwise as Latin-1 (RFC 9110 §5.5)")
    func latin1() {
        var fields = HTTPFields()
        fields.append(nameBytes: Array("U".utf8), valueBytes: Array("naïve ☂".utf8))
        fields.append(nameBytes: Array("L".utf8), valueBytes: [0x6E, 0x61, 0xEF, 0x76, 0x65])
        #expect(fields["U"] == "naïve ☂")
        #expect(fields["L"] == "naïve")
        #expect(fields.firstInvalidLine == nil)
    }

    @Test("The bytes of each line are returned in order")
    func forEachLine() {
        var fields: HTTPFields = ["A": "old", "B": "2"]
        fields["A"] = "1"
        fields.append(nameBytes: Array("C".utf8), valueBytes: [0xFF])
        var seen: [[UInt8]] = []
        fields.forEachLineOfBytes { name, value in seen.append(Array(name) + [0x3A] + Array(value)) }
        #expect(seen == [Array("A:1".utf8), Array("B:2".utf8), Array("C:".utf8) + [0xFF]])
    }

    @Test(
        "A value that could end its line is found before it is sent (RFC 9110 §5.5)",
        arguments: [
            "a\r\nX: 1", "a\n", "\ra", "a\0b", "a\u{7F}", "a\u{1B}[0m", "a\r\nb",
        ])
    func invalidValue(value: String) {
        var fields: HTTPFields = ["Good": "1"]
        fields.append("X", value)
        #expect(fields.firstInvalidLine?.name == "X")
        fields["x"] = "mended"
        #expect(fields.firstInvalidLine == nil)
    }

    @Test("A name that is not a token is found before it is sent (RFC 9110 §5.1)", arguments: ["", "A B", "A:", "A\r\nB", "É", " A"])
    func invalidName(name: String) {
        let fields: HTTPFields = ["Good": "1", HTTPFieldName(name): "2", "Bad Too": "3"]
        #expect(fields.firstInvalidLine?.name.rawName == name)
        #expect(fields.firstInvalidLine?.value == "2")
    }

    @Test("An invalid line stays invalid when it is copied into other fields")
    func invalidCopies() {
        let bad: HTTPFields = ["X": "a\nb"]
        var added: HTTPFields = ["A": "1"], replaced: HTTPFields = ["A": "1"]
        added.addMissing(bad)
        replaced.replace(with: bad)
        #expect(added.firstInvalidLine?.name == "X")
        #expect(replaced.firstInvalidLine?.name == "X")
    }
}

@Suite("HTTPFields: credentials", .timeLimit(.minutes(5)))
struct HTTPFieldsCredentialTests {
    @Test("Fields whose names indicate a credential need no mark")
    func always() {
        let fields: HTTPFields = ["authorization": "a", "COOKIE": "b", "Proxy-Authorization": "c", "Accept": "d", "X-Vault-Token": "e"]
        #expect(fields.map(\.isCredential) == [true, true, true, false, true])
    }

    @Test("A mark applies to all lines with the name and to later values")
    func marking() {
        var fields: HTTPFields = ["X-Key": "1", "A": "2", "x-key": "3"]
        fields.markAsCredential("X-KEY")
        #expect(fields.map(\.isCredential) == [true, false, true])
        fields["X-Key"] = "4"
        #expect(fields.map(\.isCredential) == [true, false])
    }

    @Test("Removing credentials keeps all other lines in order")
    func removing() {
        var fields: HTTPFields = ["A": "1", "Authorization": "2", "X-Key": "3", "B": "4", "cookie": "5"]
        fields.markAsCredential("x-key")
        fields.removeCredentials()
        #expect(fields.map(\.value) == ["1", "4"])
    }

    @Test("A mark is copied with its line")
    func copying() {
        var secret: HTTPFields = ["X-Key": "1"]
        secret.markAsCredential("X-Key")
        var added: HTTPFields = ["A": "1"], replaced: HTTPFields = ["X-Key": "old"]
        added.addMissing(secret)
        replaced.replace(with: secret)
        #expect(added.map(\.isCredential) == [false, true])
        #expect(replaced.map(\.isCredential) == [true])
    }
}
