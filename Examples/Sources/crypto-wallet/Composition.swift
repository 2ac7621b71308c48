import Foundation
import Martlet

/// The services of the app, created once at its launch.
struct Services {
    let market: any MarketService
    let wallet: WalletService

    init(baseURL: URL, apiKey: String, time: any TimeSource = .system) {
        var standard = StandardInterceptors(
            authentication: AuthInterceptor(AccessToken(apiKey), scheme: .apiKey(header: "X-API-Key")))
        standard.idempotencyKeys = IdempotencyKeyInterceptor()
        let client = HTTPClient(baseURL: baseURL, interceptors: standard.list, time: time)

        let api = client.mappingErrors(WalletErrorMapper())
        market = CachedMarketService(ExchangeMarketService(api: api), time: time)
        wallet = WalletService(api: api, market: market)
    }
}
