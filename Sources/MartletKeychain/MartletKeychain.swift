// MartletKeychain: token stores of the platform: the Keychain, and the Secret Service on Linux.
//
// - Platform: `SystemTokenStore`, which picks one.
// - Keychain, SecretService: the two stores.
// - Stored: the stored form of a token.
//
// Imports: MartletAuth, and CMartletKeychain on Linux. Start with `SystemTokenStore`.
