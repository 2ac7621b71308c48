import Testing

@testable import MartletCurl

@Suite("HandleSetup", .timeLimit(.minutes(5)))
struct HandleSetupTests {
    @Test(
        "A read of a streamed body is a quarter of the stream's buffer, within 16 and 256 KiB",
        arguments: [(1, 16_384), (65_536, 16_384), (131_072, 32_768), (1_048_576, 262_144), (Int.max, 262_144)])
    func streamedRead(buffer: Int, read: Int) {
        #expect(HandleSetup.streamedRead(buffer: buffer) == read)
    }
}
