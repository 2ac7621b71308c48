import Testing

@testable import MartletObservation

@Suite("RedactedNames", .timeLimit(.minutes(5)))
struct RedactedNamesTests {
    @Test("The secret in a name is masked each time, and other names are unchanged")
    func masking() {
        let key = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
        for _ in 0..<2 { #expect(RedactedNames.line("GET hooks/\(key)") == "GET hooks/‹redacted›") }
        for _ in 0..<2 { #expect(RedactedNames.line("GET users/{}") == "GET users/{}") }
        #expect(RedactedNames.line("a\nb") != "a\nb")
    }
}
