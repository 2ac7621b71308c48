import Foundation
import Testing

@testable import MartletURLSession

@Suite("PublicKeyInfo", .timeLimit(.minutes(5)))
struct PublicKeyInfoTests {
    // The output of `openssl pkey -pubout -outform der` for keys created for this test.
    private static let p256 = """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEuSLjPe8KXeHjeL9TNoutQCY6DNkG93mgjhczKHORgg1fsjWL3sjIGSUTfs/7EYGsZw4nTGKkKJ1ryqHG2r79RQ==
        """
    private static let p384 = """
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEx+t6xEmYWqc9gZPBGsBJmLKXzbwX9Ex/75u1OmEVXvSrOCt66DiwiF3FWqRXJPa/RKXnGGDbin4/16CTMViBpBrZj9+2\
        b1LknAgKZu64eSkmiyfQ2u4kplNJufEmdLLq
        """
    private static let rsa2048 = """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2a5T2W/HZU2v9JhD8H0VIBzsdY1DOvDKDFQdCL1+5Ogarz4S80ykZVNSlxFz1kIwSpr5e0l/rNKYccnm\
        /2eWxNrw6thEvYq+7jwgh4EYjEBlyJad+lHhR4hqe3hzMdgd1QAS4EAyuTSaT+zh1sm5P3tjCpHIIYHGEHqFbTWSPvzD/GbrrAsHOTFjMeVOEt2sXNS0Hk97+aXY\
        GcnTqkVesYRErtI5KQ1YvmqLCqwCJCJ4LpILIShQvNGLAVXK+DEvR069jDX4am+KW2sHI7fDAnboM34XsYzzUZ6mS8oCFIV9rU9BxJzPaBkQuIPm8pkrnQZKjmP3\
        2NAX+saSr7c3hQIDAQAB
        """

    @Test(
        "The raw key that Security provides becomes the encoding that openssl writes (RFC 5280 §4.1.2.7)",
        arguments: [
            (PublicKeyInfo.Kind.ellipticCurve(bits: 256), p256, 65), (.ellipticCurve(bits: 384), p384, 97), (.rsa, rsa2048, 270),
        ])
    func keys(kind: PublicKeyInfo.Kind, expected: String, size: Int) throws {
        let info = try #require(Data(base64Encoded: expected))
        #expect(PublicKeyInfo.der(kind, key: info.suffix(size)) == info)
    }

    @Test(
        "Larger RSA keys have the standard prefix",
        arguments: [(398, "308201a2300d06092a864886f70d01010105000382018f00"), (526, "30820222300d06092a864886f70d01010105000382020f00")])
    func largerKeys(size: Int, head: String) throws {
        let info = try #require(PublicKeyInfo.der(.rsa, key: Data(count: size)))
        #expect(info.prefix(24).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == head)
        #expect(info.count == size + 24)
    }

    @Test("An unknown curve has no encoding", arguments: [0, 192, 255, 512])
    func unknownCurves(bits: Int) {
        #expect(PublicKeyInfo.der(.ellipticCurve(bits: bits), key: Data(count: 65)) == nil)
    }
}
