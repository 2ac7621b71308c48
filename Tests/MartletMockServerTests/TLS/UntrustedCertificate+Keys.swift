import MartletTesting

@testable import MartletMockServer

extension UntrustedCertificate {
    /// The private key of the certificate as PEM.
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQHYZqNi2DbUf3P/F
        jjTWyZo5gZjsRumnvV4udZSiyEihRANCAATft9VfNMFyTyjveCC1V+O9YFPU38Ii
        z78L0zTn6L/DVx2w0OKrAY6YIgP0TJW16LHxsuxWgoB8KRoSoNEd9P1H
        -----END PRIVATE KEY-----
        """

    /// The same key, encrypted with the password `open`: `openssl pkcs8 -topk8 -passout pass:open -v2 aes-256-cbc`.
    static let lockedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAihaa5U/3jkUgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEL7OG1WDmmFOxHFFpMVOEWoEgZCQ
        aDA70DkSOIWDrHP+uAH5uWgGu6bXQ/5lV9Ih7n90SXma6Uh2MPZxJNwGw18Z0+mW
        rxn9tnpnadJKTO7FrSjjeyHVCvDsxdTc2sEropRNUpCTn5QXsXyNsBMpAhTRRkUj
        nXLlWVlgxKgBFky8vCY7nAT38JeFgwA1XqZCa5I8CexZw5PYSvMQke2en2p5Ld0=
        -----END ENCRYPTED PRIVATE KEY-----
        """
}
