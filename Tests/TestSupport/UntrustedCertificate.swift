/// A second self-signed certificate for localhost, 127.0.0.1 and ::1, valid until 2126, that a client of `MockServer.TLS.localhost` does
/// not trust.
///
/// Made once with OpenSSL 3.0 in the same way as the certificate of `localhost`.
package enum UntrustedCertificate {
    /// The certificate as PEM.
    package static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBoDCCAUWgAwIBAgIBAjAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDApBIHN0cmFu
        Z2VyMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjYwMTAxMDAwMDAwWjAVMRMwEQYDVQQD
        DApBIHN0cmFuZ2VyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE37fVXzTBck8o
        73ggtVfjvWBT1N/CIs+/C9M05+i/w1cdsNDiqwGOmCID9EyVteix8bLsVoKAfCka
        EqDRHfT9R6OBgzCBgDAMBgNVHRMBAf8EAjAAMCwGA1UdEQQlMCOCCWxvY2FsaG9z
        dIcEfwAAAYcQAAAAAAAAAAAAAAAAAAAAATAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0l
        BAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFDO8WRrmWgMBdP8avDESRmM6lvu3MAoG
        CCqGSM49BAMCA0kAMEYCIQCaS71LjMkSBMvh3OlZUV+Eg3+y6EiLjxki17sG9yiC
        8wIhANtevfc7VQIcIiNAvAqTji4pDPtC/c5b2ZptRjJA3cNY
        -----END CERTIFICATE-----
        """

    /// The private key of the certificate as PEM.
    package static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQHYZqNi2DbUf3P/F
        jjTWyZo5gZjsRumnvV4udZSiyEihRANCAATft9VfNMFyTyjveCC1V+O9YFPU38Ii
        z78L0zTn6L/DVx2w0OKrAY6YIgP0TJW16LHxsuxWgoB8KRoSoNEd9P1H
        -----END PRIVATE KEY-----
        """

    /// The same key, encrypted with the password `open`: `openssl pkcs8 -topk8 -passout pass:open -v2 aes-256-cbc`.
    package static let lockedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAihaa5U/3jkUgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEL7OG1WDmmFOxHFFpMVOEWoEgZCQ
        aDA70DkSOIWDrHP+uAH5uWgGu6bXQ/5lV9Ih7n90SXma6Uh2MPZxJNwGw18Z0+mW
        rxn9tnpnadJKTO7FrSjjeyHVCvDsxdTc2sEropRNUpCTn5QXsXyNsBMpAhTRRkUj
        nXLlWVlgxKgBFky8vCY7nAT38JeFgwA1XqZCa5I8CexZw5PYSvMQke2en2p5Ld0=
        -----END ENCRYPTED PRIVATE KEY-----
        """
}
