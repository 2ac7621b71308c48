import Testing

@testable import MartletWebSocket
