import MartletAuth
import Testing

@testable import MartletKeychain

@Suite("Keychain status codes", .timeLimit(.minutes(5)))
struct KeychainStatusTests {
    @Test(
        "Each status has its meaning, and an unknown one keeps its code and text",
        arguments: [
            (Int32(0), KeychainStatus.success), (-25300, .notFound), (-25299, .duplicate), (-25308, .failure(.locked)),
            (-34018, .failure(.missingEntitlement)), (-128, .failure(.refused("words for -128"))),
            (-25293, .failure(.refused("words for -25293"))), (-26275, .failure(.corrupt("the keychain could not decode it"))),
            (-50, .failure(.failed(code: -50, "words for -50"))), (7, .failure(.failed(code: 7, "words for 7"))),
        ])
    func meanings(code: Int32, meaning: KeychainStatus) {
        #expect(KeychainStatus(code) { "words for \($0)" } == meaning)
    }

    @Test("Saving adds an item, changes an existing one, adds one that was deleted meanwhile, and gives up after three rounds")
    func saving() {
        #expect(KeychainSaving.start.next(after: .success) == .done)
        #expect(KeychainSaving.start.next(after: .duplicate) == .change(triesLeft: 3))
        #expect(KeychainSaving.change(triesLeft: 3).next(after: .success) == .done)
        #expect(KeychainSaving.start.next(after: .failure(.locked)) == .failed(.locked))
        #expect(KeychainSaving.change(triesLeft: 3).next(after: .failure(.locked)) == .failed(.locked))
        var step = KeychainSaving.start, rounds = 0
        while case .add = step {
            step = step.next(after: .duplicate).next(after: .notFound)
            rounds += 1
        }
        #expect(rounds == 3)
        guard case .failed(let error) = step, case .failed(code: -25299, _) = error.kind else { Issue.record("\(step)"); return }
    }

    @Test("An unexpected status ends saving with an error")
    func unfitting() {
        for (step, status) in [(KeychainSaving.start, KeychainStatus.notFound), (.change(triesLeft: 3), .duplicate)] {
            guard case .failed = step.next(after: status) else { Issue.record("\(step) after \(status)"); continue }
        }
    }
}
