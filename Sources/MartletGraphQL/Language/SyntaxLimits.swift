/// How much of a document is read before it is refused, so that no text can use up the stack or the memory.
package struct SyntaxLimits: Sendable, Hashable {
    /// The levels of selection sets, lists and objects inside each other.
    package let nesting: Int
    /// The tokens of the whole document.
    package let tokens: Int

    package init(nesting: Int = 200, tokens: Int = 100_000) {
        self.nesting = nesting
        self.tokens = tokens
    }
}
