/// The limits for parsing a document. They protect the stack and the memory from any input.
package struct SyntaxLimits: Sendable, Hashable {
    /// The maximum nesting of selection sets, lists and objects.
    package let nesting: Int
    /// The maximum number of tokens in the document.
    package let tokens: Int

    package init(nesting: Int = 200, tokens: Int = 100_000) {
        self.nesting = nesting
        self.tokens = tokens
    }
}
