import Testing

@testable import MartletJSON

@Suite("Errors of streamed JSON elements", .timeLimit(.minutes(5)))
struct JSONElementErrorTests {
    static let descriptions: [(JSONElementError.Kind, String)] = [
        (.syntax(.colonExpected), "invalid JSON: expected a colon after the member name"),
        (.truncated, "truncated JSON: the document ends too early"),
        (.pathMissing(["data", "birds"]), "no member at \"data.birds\""),
        (.notAnArray(path: [], found: .null), "expected an array at the root, found null"),
        (.notAnObject(path: ["data"], found: .string), "expected an object at \"data\", found a string"),
        (.elementTooLarge(limit: 10), "element of more than 10 bytes"),
        (.tooDeep(limit: 512), "more than 512 nested arrays and objects"),
    ]

    @Test("An error is described by its kind and position", arguments: descriptions)
    func description(kind: JSONElementError.Kind, text: String) {
        let error = JSONElementError(kind, at: JSONPosition(offset: 41, line: 3, column: 7))
        #expect(error.description == text + " at line 3, column 7 (byte 41)")
    }
}
