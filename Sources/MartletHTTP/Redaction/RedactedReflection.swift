/// A type that may hold secrets: `dump`, `Mirror` and debuggers show its `description`, and none of its properties.
///
/// A type that adopts it names `CustomReflectable` too, so that this conformance is public, and `CustomDebugStringConvertible` if it has a
/// description.
package protocol RedactedReflection: CustomReflectable {}

extension RedactedReflection {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The description, which leaves secrets out.
    public var debugDescription: String { String(describing: self) }
}
