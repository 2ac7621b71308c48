// MartletKeychain: the platform's token stores: the Keychain on Apple platforms, and the Secret Service on Linux.
//
// - `SystemTokenStore`: the store of the current platform. `StoredToken`: the stored form of a token.
// - Keychain, SecretService: the two stores.
//
// Imports: MartletAuth, and CMartletKeychain on Linux. Start with `SystemTokenStore`.
