import Testing

@testable import MartletHTTP

@Suite("TransportConfiguration", .timeLimit(.minutes(1)))
struct TransportConfigurationTests {
    @Test(
        "The number of engines is a quarter of the cores, at least one and at most eight",
        arguments: [(1, 1), (2, 1), (4, 1), (5, 1), (7, 1), (8, 2), (12, 3), (31, 7), (32, 8), (128, 8), (0, 1)])
    func engines(cores: Int, engines: Int) { #expect(TransportConfiguration.engines(cores: cores) == engines) }
}
