import CMartletCurl
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("TriedAddresses", .timeLimit(.minutes(5)))
struct TriedAddressesTests {
    private let open = IPAddress("8.8.8.8"), local = IPAddress("10.0.0.1")
    private let failed = CURLE_COULDNT_CONNECT.code, stopped = CURLE_ABORTED_BY_CALLBACK.code

    /// Checks addresses. Returns whether each may be connected to.
    private func check(_ addresses: [IPAddress?], by policy: AddressPolicy?) -> (TriedAddresses, [Bool]) {
        var check = TriedAddresses()
        let results = addresses.map { check.allows($0, by: policy) }
        return (check, results)
    }

    @Test("Without a policy, every address is allowed")
    func noPolicy() {
        let (check, results) = check([local, nil], by: nil)
        #expect(results == [true, true])
        #expect(check.refusal(after: failed) == nil)
    }

    @Test("A policy refuses addresses, and connections without one")
    func refused() {
        #expect(check([open, local, nil], by: .publicOnly).1 == [true, false, false])
        #expect(check([nil], by: .publicOnly).0.refusal(after: stopped)?.contains("no IP address") == true)
    }

    @Test("A host is refused if all of its addresses are; one with an allowed address is unreachable")
    func unreachable() {
        #expect(check([local, local], by: .publicOnly).0.refusal(after: failed) != nil)
        #expect(check([local, open], by: .publicOnly).0.refusal(after: failed) == nil)
    }

    @Test("The refusal explains a request that was stopped, and no other failure")
    func codes() {
        let (check, _) = check([open, local], by: .publicOnly)
        #expect(check.refusal(after: stopped) != nil)
        #expect(check.refusal(after: CURLE_RECV_ERROR.code) == nil)
    }
}
