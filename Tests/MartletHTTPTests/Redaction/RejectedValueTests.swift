import Foundation
import Testing

@testable import MartletHTTP

/// Servers repeat what the user typed in errors of validation, in a member with a harmless name beside the place where it was found.
@Suite("Redaction: rejected values", .timeLimit(.minutes(5)))
struct RejectedValueTests {
    private static let secret = "hunter2"

    @Test(
        "The value beside a location that names a secret is masked, and the rest of the error is kept",
        arguments: [
            // FastAPI and Pydantic
            #"{"detail":[{"type":"string_too_short","loc":["body","password"],"msg":"short","input":"hunter2","ctx":{"min_length":8}}]}"#,
            #"[{"input":"hunter2","msg":"short","loc":["query","user",0,"api_key"]}]"#,
            #"{"loc":["body","card","pin"],"msg":"short","input":12345,"ctx":{"given":"hunter2"}}"#,
            // Spring
            #"{"errors":[{"objectName":"user","field":"user.password","rejectedValue":"hunter2","code":"Size"}]}"#,
            #"{"Field":"password","rejected_value":["hunter2"]}"#, #"{"propertyPath":"user.password","invalidValue":"hunter2"}"#,
            // JSON:API, RFC 9457
            #"{"errors":[{"source":{"pointer":"/data/attributes/password"},"detail":"short","meta":{"value":"hunter2"}}]}"#,
            #"{"errors":[{"source":{"parameter":"token"},"detail":"short","meta":{"received":"hunter2"}}]}"#,
            ##"{"errors":[{"pointer":"#/password","detail":"short","value":"hunter2"}]}"##,
            // zod, valibot, Joi, class-validator, express-validator, FluentValidation
            #"{"issues":[{"code":"too_small","path":["user","password"],"message":"short","input":"hunter2"}]}"#,
            #"{"code":"invalid_enum_value","received":"hunter2","path":["secret"],"options":["a"]}"#,
            #"{"kind":"schema","input":"hunter2","path":[{"type":"object","key":"password","value":"hunter2"}]}"#,
            #"{"path":["password"],"type":"string.min","context":{"limit":8,"value":"hunter2","label":"password"}}"#,
            #"{"target":{"password":"hunter2"},"value":"hunter2","property":"password","constraints":{"minLength":"short"}}"#,
            #"{"type":"field","value":"hunter2","msg":"short","param":"password","location":"body"}"#,
            #"{"propertyName":"Password","errorMessage":"short","attemptedValue":"hunter2"}"#,
            // ajv and JSON Patch
            #"{"instancePath":"/user/password","keyword":"minLength","params":{"actual":"hunter2"}}"#,
            #"{"instancePath":"/password","keyword":"minLength","data":"hunter2"}"#,
            #"[{"op":"replace","path":"/password","value":"hunter2"}]"#,
            // Symfony, GraphQL, wrappers, and a location that is too long to be examined
            ##"{"propertyPath":"password","parameters":{"{{ value }}":"hunter2"}}"##,
            #"{"PropertyName":"Password","FormattedMessagePlaceholderValues":{"PropertyValue":"hunter2"}}"#,
            #"{"message":"short","extensions":{"argument":"password","value":"hunter2"}}"#,
            #"{"field":"password","error":{"value":"hunter2"}}"#, #"{"variable":"token","issue":{"got":"hunter2"}}"#,
            #"{"path":"/password/"# + String(repeating: "a", count: 300) + #"","value":"hunter2"}"#,
            // Within a string, a line, and broken JSON
            #"{"log":"{\"loc\":[\"body\",\"password\"],\"input\":\"hunter2\"}"}"#,
            #"422: {"loc": ["body", "password"], "msg": "short", "input": "hunter2"} from the server"#,
            #"422: {"input": "hunter2", "loc": ["body", "password"]} from the server"#,
            "1 error: {\n  \"loc\": [\n    \"body\",\n    \"password\"\n  ],\n  \"input\": \"hunter2\"\n}",
            "1 validation error for User\npassword\n  String should have 8 characters [type=short, input_value='hunter2', input_type=str]",
            #"{"detail":"1 error\nuser.password\n  too short [type=short, input_value='hunter2', input_type=str]"}"#,
        ])
    func shapes(text: String) {
        let masked = Redaction.text(text)
        #expect(!masked.contains(Self.secret) && masked.contains(Redaction.mask), "\(masked)")
        #expect(!CassetteRedaction.standard.text(text).contains(Self.secret))
        let recorded = CassetteRedaction.standard.body(Data(text.utf8), type: "application/json", isAnswer: true)
        #expect(!String(decoding: recorded, as: UTF8.self).contains(Self.secret))
    }

    @Test("Only the value is masked")
    func rest() {
        #expect(
            Redaction.text(#"{"loc":["body","password"],"msg":"short","input":"hunter2","ctx":{"min_length":8}}"#)
                == #"{"loc":["body","password"],"msg":"short","input":"‹redacted›","ctx":{"min_length":8}}"#)
        let recorded = CassetteRedaction.standard.body(
            Data(#"{"path":["pin"],"input":1234,"received":true}"#.utf8), type: "application/json", isAnswer: true)
        #expect(String(decoding: recorded, as: UTF8.self) == #"{"path":["pin"],"input":0,"received":false}"#)
    }

    @Test(
        "The value beside another location is kept",
        arguments: [
            #"{"loc":["body","age"],"msg":"Input should be a number","input":"ten"}"#, #"{"field":"name","rejectedValue":"x"}"#,
            #"{"source":{"pointer":"/data/attributes/title"},"meta":{"value":"x"}}"#, #"{"path":["tags",0],"received":"x"}"#,
            #"{"input":"x","actual":"y","received":"z"}"#, #"[{"loc":["body","password"]},{"input":"x"}]"#,
            #"{"path":"/password","items":[{"value":1}]}"#, "actual: 5, expected: 3 tokens", "received: 3 of 4, and no token",
            "1 validation error for User\nage\n  should be a number [type=int, input_value='ten', input_type=str]",
            "path: /session, then value",
        ])
    func others(text: String) { #expect(Redaction.text(text) == text) }

    @Test(
        "Locations and values take steps in proportion to their bytes",
        arguments: [
            MaskingCostTests.Pattern(piece: #"{"loc":["body","a"],"input":"x"},"#, format: .json, start: "[", end: "1]"),
            MaskingCostTests.Pattern(piece: #""loc":["a"],"input":1,"#, format: .json, start: "{", end: #""x":1}"#),
            MaskingCostTests.Pattern(piece: #"{"meta":"#, format: .json),
            MaskingCostTests.Pattern(piece: #""loc":["#),
            MaskingCostTests.Pattern(piece: #""loc":["a","input":"#, start: "x ", maxSteps: 10),
            MaskingCostTests.Pattern(piece: #""input":"#, start: "x "), MaskingCostTests.Pattern(piece: #""path":"/a/b/","#, start: "x "),
            MaskingCostTests.Pattern(piece: "pin\n input_value=1\n"), MaskingCostTests.Pattern(piece: "a\n"),
        ])
    func cost(pattern: MaskingCostTests.Pattern) {
        for count in [1_000, 10_000, 120_000] {
            let text = pattern.text(count), steps = MaskingCostTests.steps { pattern.mask(text) }
            #expect(steps <= pattern.maxSteps * text.utf8.count + 200, "\(text.utf8.count) bytes: \(steps)")
        }
    }

    @Test("The work for locations that contain each other is within the budget")
    func nested() {
        let text = String(repeating: #"{"meta":{"path":[{"key":"#, count: 40) + "1" + String(repeating: "}]}}", count: 40)
        #expect(MaskingCostTests.steps { _ = Redaction.text(text) } <= 32 * text.utf8.count + 16_384)
    }
}
