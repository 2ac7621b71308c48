import Foundation
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct TusProtocolTests {
    @Test("Metadata has sorted names and Base64 values, and a name that can't be written is refused")
    func metadata() {
        #expect(TusProtocol.metadata(["filename": "é.mov", "a": ""]) == "a,filename w6kubW92")
        for name in ["", "a b", "a,b", "a\r\nX", "é"] { #expect(TusProtocol.metadata([name: "x"]) == nil, "\(name)") }
    }

    @Test("An offset must be a number within the file")
    func offsets() {
        #expect(TusProtocol.offset(["Upload-Offset": "5"], length: 5) == 5)
        for text in ["6", "-1", "+1", "x", "", "99999999999999999999"] {
            #expect(TusProtocol.offset(["Upload-Offset": text], length: 5) == nil, "\(text)")
        }
        #expect(TusProtocol.offset([:], length: 5) == nil)
    }

    @Test("After a failure the offset is requested, the upload is gone, or the upload fails")
    func decisions() {
        func decide(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> TusProtocol.Answer {
            TusProtocol.decide(
                .statusCode(HTTPResponse(status: status, headers: headers, body: Data())), now: Date(timeIntervalSince1970: 0))
        }
        #expect(decide(409) == .ask(.zero) && decide(423) == .ask(.zero) && decide(503, [.retryAfter: "3"]) == .ask(.seconds(3)))
        #expect(decide(404) == .gone && decide(410) == .gone && decide(413) == .give && decide(412) == .give)
        #expect(TusProtocol.decide(.timeout, now: Date()) == .ask(.zero) && TusProtocol.decide(.cancelled, now: Date()) == .give)
    }
}
