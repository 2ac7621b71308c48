/// A value that copies share until one of them changes it. Copying it costs one reference.
///
/// Create one shared instance for the value that is used most, so that ``isIdentical(to:)`` recognizes it.
public struct CopyOnWrite<Content: Sendable>: Sendable {
    @usableFromInline var storage: Storage

    /// Boxes a value.
    @inlinable public init(_ content: Content) { storage = Storage(content) }

    /// The value. A change copies it first if it is shared.
    @inlinable public var content: Content {
        _read { yield storage.content }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
            yield &storage.content
        }
    }

    /// Changes several parts of the value together.
    @inlinable public mutating func change(_ body: (inout Content) -> Void) { body(&content) }

    /// Whether both share one value, because neither was changed since it was copied.
    @inlinable public func isIdentical(to other: Self) -> Bool { storage === other.storage }

    @usableFromInline final class Storage: @unchecked Sendable {
        // Proof: a change is written only while its box holds the only reference, so no other thread can reach `content`. A storage with
        // several references is only read. Accesses cannot overlap either: the compiler checks those of the box, and `content` is reached
        // through it alone.
        @exclusivity(unchecked) @usableFromInline var content: Content

        @inlinable init(_ content: Content) { self.content = content }
    }
}
