import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

@testable import MartletConformance

/// Tests the parts of the suite itself.
@Suite("TransportConformance: cases and their runs", .timeLimit(.minutes(5)))
struct CaseTests {
    @Test("Every case has a unique name of a subject and a point, and a sentence as its description")
    func names() {
        let ids = TransportConformance.cases.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[a-z]+\.[a-z0-9-]+/) != nil })
        #expect(TransportConformance.cases.allSatisfy { $0.description.count > 20 && $0.description.first?.isUppercase == true })
    }

    private func failure(
        time: any TimeSource = .system, expecting deviations: [String: [String]] = [:],
        _ run: @escaping @Sendable (CaseContext) async throws -> Void
    ) async -> TransportConformance.CaseFailure? {
        var options = TransportConformance.Options()
        options.time = time
        return await Case("a.b", "A sentence", run).failure(expecting: deviations, options: options) { MockTransport() }
    }

    @Test("The mismatches that a case notes are its failure, and a case without mismatches passes")
    func noting() async {
        #expect(await failure { _ in } == nil)
        let failed = await failure { context in
            context.expect("one", 1, is: 1)
            context.expect("two", 1, is: 2)
            context.expect("three", Data("a".utf8), is: Data("b".utf8))
        }
        #expect(failed?.description == "a.b: A sentence\n  two: expected 2, saw 1\n  three: expected “b”, saw “a”")
    }

    @Test("An error thrown by a case is a mismatch at the current step")
    func throwing() async {
        let failed = await failure { context in
            context.step("a step")
            throw HTTPError.timeout
        }
        #expect(failed?.mismatches.map(\.description) == ["a step: expected nothing thrown, saw Timed out"])
    }

    @Test("A case that does not end fails at its current step with its earlier mismatches, and its servers are stopped")
    func unending() async throws {
        let server = OneShot<MockServer?>(), time = ManualTime(), hasBegunLast = Tally()
        let run = Task {
            await failure(time: time) { context in
                server.set(try await context.serve())
                context.expect("x", 1, is: 2)
                context.step("the last step")
                hasBegunLast.add(1)
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        try await hasBegunLast.wait { $0 > 0 }
        try await time.waitForTimers()
        time.advance(by: .seconds(30))
        #expect(await run.value?.mismatches.map(\.subject) == ["x", "the last step"])
        await server.value()?.stop()
    }

    @Test("A case in a cancelled task ends immediately and reports the cancellation")
    func cancelled() async {
        let begun = Tally()
        let run = Task {
            await failure { context in
                begun.add(1)
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        try? await begun.wait { $0 > 0 }
        run.cancel()
        #expect(await run.value?.mismatches.first?.seen == "the cancellation of the case itself")
    }

    @Test("A deviation must account for every line of the failure, and each of its parts must be observed")
    func deviations() {
        let one = Mismatch("streamed", expected: "a", seen: "b")
        let two = Mismatch("buffered", expected: "a", seen: "c")
        func left(_ observed: String..., seen: [Mismatch]) -> Int {
            TransportConformance.unexpected(seen, known: observed).count
        }
        #expect(left("saw b", seen: [one]) == 0)
        #expect(left("saw b", "saw c", seen: [one, two]) == 0)
        #expect(left("expected a", seen: [one, two]) == 0)
        #expect(left("saw b", seen: [one, two]) == 1)
        #expect(left("saw b", "saw d", seen: [one]) == 1)
        #expect(left("saw b", seen: []) == 1)
    }

    @Test(
        "Bytes that equal the pattern have no fault; truncated, extended or changed bytes have one",
        arguments: [0, 1, 65_521, 65_536, 400_000])
    func pattern(count: Int) async throws {
        let data = Pattern.data(count)
        #expect(Pattern.fault(data, of: count) == nil)
        #expect(try await Pattern.stream(count).collect() == data)
        #expect(Pattern.fault(data + [0], of: count + 2) != nil)
        guard count > 0 else { return }
        #expect(Pattern.fault(data.dropLast(), of: count) == "\(count - 1) bytes")
        var other = data
        other[count - 1] ^= 1
        #expect(Pattern.fault(other, of: count)?.contains("different from position") == true)
        #expect(count == 1 || Pattern.fault(data.dropFirst() + [0], of: count) != nil)
    }

    @Test("The generator produces the same numbers for the same seed")
    func generator() {
        var generator = SeededGenerator(seed: 1_234_567)
        // The first numbers of the reference implementation for this seed.
        #expect((0..<3).map { _ in generator.next() } == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }
}
