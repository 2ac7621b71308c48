import Testing

@testable import MartletHTTP

@Suite("WordAutomaton", .timeLimit(.minutes(5)))
struct WordAutomatonTests {
    private static let first = WordAutomaton.Kinds(rawValue: 1), second = WordAutomaton.Kinds(rawValue: 2)
    private let automaton = WordAutomaton([("he", first), ("she", second), ("hers", first), ("her", second), ("s", second), ("he", second)])

    private func found(_ text: String) -> [WordAutomaton.Kinds] {
        var state = WordAutomaton.start
        return text.utf8.map { byte in
            state = automaton.state(searching: state, byte)
            return automaton.found(state)
        }
    }

    private func whole(_ text: String) -> WordAutomaton.Kinds {
        automaton.whole(text.utf8.reduce(WordAutomaton.start) { automaton.state(spelling: $0, $1) })
    }

    @Test("Words are found wherever they end, also within and behind other words")
    func search() {
        let both: WordAutomaton.Kinds = [Self.first, Self.second]
        #expect(found("ushers") == [[], Self.second, [], both, Self.second, both])
        #expect(found("h-e") == [[], [], []])
        #expect(found("hhe") == [[], [], both])
    }

    @Test("A text is a whole word only if it has no other letters")
    func spelling() {
        #expect(whole("he") == [Self.first, Self.second] && whole("her") == Self.second && whole("hers") == Self.first)
        for text in ["", "h", "ushe", "hersx", "he1", "é"] { #expect(whole(text) == []) }
    }
}
