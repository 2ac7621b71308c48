#if os(Linux)
import MartletAuth
import Testing

@testable import MartletKeychain

@Suite("libsecret", .timeLimit(.minutes(5)))
struct SecretLibraryTests {
    @Test(
        "A library that is missing or is not libsecret is a typed error that names the package",
        arguments: ["libnothing.so.9", "libc.so.6"])
    func missing(name: String) {
        let error = #expect(throws: TokenStoreError.self) { try SecretLibrary(names: [name]) }
        guard case .libraryMissing(let words) = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(error?.description.contains("apt-get install libsecret-1-0") == true)
        #expect(words.contains(name == "libc.so.6" ? "has no secret_password_lookup_binary_sync" : "tried libnothing.so.9"))
    }
}
#endif
