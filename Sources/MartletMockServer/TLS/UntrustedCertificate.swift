/// A second self-signed certificate for localhost, 127.0.0.1 and ::1, valid until 2126, that a client of ``MockServer/TLS/localhost`` does
/// not trust.
///
/// Made once with OpenSSL 3.0 in the same way as the certificate of `localhost`. Only the tests of this package use it; its key is in
/// `MartletMockServerTests`.
enum UntrustedCertificate {
    /// The certificate as PEM.
    static let certificate = """
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
}
