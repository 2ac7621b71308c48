import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletMockServer

/// Tests which replies have faults.
@Suite(.timeLimit(.minutes(5))) struct FaultScriptTests {
    func pattern(_ script: FaultScript, _ count: Int = 12) -> String {
        (0..<count).map { index in script.fault(at: index).map { "\($0)" == "reset" ? "x" : "\($0)" } ?? "." }.joined()
    }

    @Test("A script gives faults always, never, to the first replies, or in order, where nil means no fault")
    func fixed() {
        #expect(pattern(.always(.reset), 4) == "xxxx")
        #expect(pattern(.never, 4) == "....")
        #expect(pattern(.first(2, .reset), 5) == "xx...")
        #expect(pattern(.inOrder(.reset, nil, .reset), 5) == "x.x..")
        #expect(pattern(FaultScript { $0 % 2 == 1 ? .reset : nil }, 5) == ".x.x.")
        #expect("\(FaultScript.inOrder(.reset, nil, .drop(atByte: 3)))" == "inOrder(reset, nil, drop(atByte: 3))")
    }

    @Test("oneIn gives one fault in each group, repeatably for a seed, and never three in a row", arguments: [2, 3, 7])
    func oneInK(count: Int) {
        let text = pattern(.oneIn(count, .reset, seed: 42), 70 * count)
        #expect(text == pattern(.oneIn(count, .reset, seed: 42), 70 * count))
        #expect(text != pattern(.oneIn(count, .reset, seed: 43), 70 * count))
        #expect(!text.contains("xxx"))
        let characters = Array(text)
        for round in 0..<70 { #expect(characters[round * count..<(round + 1) * count].count { $0 == "x" } == 1) }
        // Every position occurs.
        #expect(Set((0..<70).map { round in (0..<count).first { characters[round * count + $0] == "x" } }).count == count)
    }

    @Test("With a count of one or less, every reply has the fault")
    func oneInOne() {
        #expect(pattern(.oneIn(1, .reset, seed: 1), 3) == "xxx" && pattern(.oneIn(0, .reset, seed: 1), 3) == "xxx")
    }

    @Test("The sequence of a seed is fixed, so that failures can be reproduced on every machine")
    func golden() { #expect(pattern(.oneIn(3, .reset, seed: 42), 30) == "x...x.x..x...x...xx...x...xx..") }
}
