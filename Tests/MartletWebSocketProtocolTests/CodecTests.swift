import Testing

@testable import MartletWebSocketProtocol
