// System calls under names that no type uses for its methods. In a type with a method `read`, `read` does not mean the system's.

/// Opens a file (`open`).
package func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

/// Reads from a descriptor (`read`).
package func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(descriptor, bytes, count) }

/// Writes to a descriptor (`write`).
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
