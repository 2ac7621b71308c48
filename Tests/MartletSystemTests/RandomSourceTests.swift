import Foundation
import Testing

@testable import MartletSystem

@Suite("UUIDs as text", .timeLimit(.minutes(5))) struct UUIDTextTests {
    @Test("A random key is a UUID of version 4 in lower case (RFC 9562 §5.4)")
    func uuid() {
        #expect(UUIDText.version4(0, 0) == "00000000-0000-4000-8000-000000000000")
        #expect(UUIDText.version4(.max, .max) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
        #expect(UUIDText.version4(0x0123_4567_89AB_CDEF, 0x0123_4567_89AB_CDEF) == "01234567-89ab-4def-8123-456789abcdef")
        #expect(UUID(uuidString: UUIDText.version4(1, 2)) != nil)
    }
}
