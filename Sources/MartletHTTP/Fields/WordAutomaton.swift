/// Finds words in lower-case letters, one byte at a time (Aho and Corasick, 1975). A byte costs the same whatever the number of words.
struct WordAutomaton: Sendable {
    /// What a word of the automaton means.
    struct Kinds: OptionSet, Sendable { let rawValue: UInt8 }

    /// A state: the letters that were read and may begin a word.
    typealias State = Int16

    /// The state before the first letter.
    static let start: State = 0
    /// The state after letters that begin no word.
    private static let none: State = -1
    private static let letterCount = 26

    /// For each state and letter, the state of the longer beginning, or `none`.
    private var children: [State]
    /// For each state and letter, the state of the longest beginning that the letters read end with.
    private var successors: [State]
    /// The kinds of the word that is equal to the letters of a state.
    private var wholes: [Kinds] = [[]]
    /// The kinds of all words that the letters of a state end with.
    private var endings: [Kinds]

    init(_ words: [(word: String, kinds: Kinds)]) {
        children = Array(repeating: WordAutomaton.none, count: WordAutomaton.letterCount)
        successors = []
        endings = []
        for (word, kinds) in words { add(word, kinds) }
        link()
    }

    private mutating func add(_ word: String, _ kinds: Kinds) {
        var state = WordAutomaton.start
        for byte in word.utf8 {
            let place = WordAutomaton.place(state, byte) ?? 0
            if children[place] == WordAutomaton.none {
                children[place] = State(wholes.count)
                wholes.append([])
                children += Array(repeating: WordAutomaton.none, count: WordAutomaton.letterCount)
            }
            state = children[place]
        }
        wholes[Int(state)].formUnion(kinds)
    }

    /// Computes the successors of all states, those with few letters first.
    private mutating func link() {
        successors = children.map { max($0, WordAutomaton.start) }
        endings = wholes
        var queue: [(state: State, shorter: State)] = [(WordAutomaton.start, WordAutomaton.start)], index = 0
        while index < queue.count {
            let (state, shorter) = queue[index]
            index += 1
            endings[Int(state)].formUnion(endings[Int(shorter)])
            for letter in 0..<WordAutomaton.letterCount {
                let place = Int(state) * WordAutomaton.letterCount + letter, child = children[place]
                let fallback = state == shorter ? WordAutomaton.start : successors[Int(shorter) * WordAutomaton.letterCount + letter]
                if child == WordAutomaton.none { successors[place] = fallback } else { queue.append((child, fallback)) }
            }
        }
    }

    /// Returns the state after a byte, if all bytes from the start of the text count.
    func state(spelling state: State, _ byte: UInt8) -> State {
        guard state != WordAutomaton.none, let place = WordAutomaton.place(state, byte) else { return WordAutomaton.none }
        return children[place]
    }

    /// Returns the state after a byte, if a word may begin anywhere.
    func state(searching state: State, _ byte: UInt8) -> State {
        WordAutomaton.place(state, byte).map { successors[$0] } ?? WordAutomaton.start
    }

    /// Returns the kinds of the word that was spelled.
    func whole(_ state: State) -> Kinds { state == WordAutomaton.none ? [] : wholes[Int(state)] }

    /// Returns the kinds of the words that end here.
    func found(_ state: State) -> Kinds { endings[Int(state)] }

    private static func place(_ state: State, _ byte: UInt8) -> Int? {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? Int(state) * letterCount + Int(byte - UInt8(ascii: "a")) : nil
    }
}
