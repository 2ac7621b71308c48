import CMartletCurl
import Testing

@testable import MartletCurl

@Suite("AddressList", .timeLimit(.minutes(1)))
struct AddressListTests {
    @Test(
        "The lines form a linked list in order, as libcurl reads them",
        arguments: [["a:80:10.0.0.1"], ["a:80:10.0.0.1", "+b:443:::1", "c:1:10.0.0.2"]])
    func lines(_ lines: [String]) {
        let list = AddressList(lines)
        var found: [String] = [], next = list.pointer
        while let item = next {
            found.append(String(cString: item.pointee.data))
            next = item.pointee.next
        }
        #expect(found == lines)
        withExtendedLifetime(list) {}
    }
}
