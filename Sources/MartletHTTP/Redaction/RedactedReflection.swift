/// A type that may contain secrets: `dump`, `Mirror` and debuggers show only its `description`.
///
/// A conforming type also declares `CustomReflectable`, so that this conformance is public, and `CustomDebugStringConvertible` if it has a
/// description.
package protocol RedactedReflection: CustomReflectable {}

extension RedactedReflection {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The description, which leaves secrets out.
    public var debugDescription: String { String(describing: self) }
}
