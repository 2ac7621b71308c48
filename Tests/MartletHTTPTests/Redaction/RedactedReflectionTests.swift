import MartletHTTP
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedactedReflectionTests {
    private struct Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
        let password = "hunter2"
        var description: String { "a secret" }
    }

    private final class Holder: CustomReflectable, RedactedReflection {
        let password = "hunter2"
    }

    @Test("Reflection, dumps and debug descriptions show the description only")
    func reflection() {
        var dumped = ""
        dump([Secret()], to: &dumped)
        dump(Holder(), to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(String(reflecting: Secret()) == "a secret")
        #expect("\([Secret()])" == "[a secret]")
        #expect(!String(reflecting: Holder()).contains("hunter2"))
        #expect(Mirror(reflecting: Holder()).children.isEmpty)
    }
}
