import Testing

@testable import MartletHTTP

@Suite("TransportConfiguration", .timeLimit(.minutes(5)))
struct TransportConfigurationTests {
    @Test(
        "The number of engines is a quarter of the cores, at least two and at most eight; with one core one",
        arguments: [(1, 1), (2, 2), (4, 2), (7, 2), (8, 2), (11, 2), (12, 3), (31, 7), (32, 8), (128, 8), (0, 1)])
    func engines(cores: Int, engines: Int) { #expect(TransportConfiguration.engines(cores: cores) == engines) }
}
