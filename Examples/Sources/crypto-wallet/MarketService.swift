import Martlet

/// Coins and prices. Views depend on the protocol, so that previews and tests can pass their own data.
protocol MarketService: Sendable {
    func coins() async throws(WalletError) -> [Coin]
    func prices(of coins: [Coin.ID], in currency: String) async throws(WalletError) -> [Price]
}

/// The exchange's coins and prices.
struct ExchangeMarketService: MarketService {
    let api: APIClient<WalletError>

    func coins() async throws(WalletError) -> [Coin] {
        try await api.send(MarketAPI.coins, as: [Coin].self)
    }

    func prices(of coins: [Coin.ID], in currency: String) async throws(WalletError) -> [Price] {
        try await api.send(MarketAPI.prices(coins, currency: currency), as: [Price].self)
    }
}

/// A service that keeps coins for an hour and prices for ten seconds. Views that ask at the same time share one request.
struct CachedMarketService: MarketService {
    private struct PriceKey: Hashable {
        let coins: [Coin.ID]
        let currency: String
    }

    private let service: any MarketService
    private let coinLists: ExpiringCache<String, [Coin]>
    private let priceLists: ExpiringCache<PriceKey, [Price]>

    init(_ service: any MarketService, time: any TimeSource = .system) {
        self.service = service
        coinLists = ExpiringCache(timeToLive: .seconds(3_600), time: time)
        priceLists = ExpiringCache(timeToLive: .seconds(10), time: time)
    }

    func coins() async throws(WalletError) -> [Coin] {
        try await coinLists.typedValue(for: "all") { try await service.coins() }
    }

    func prices(of coins: [Coin.ID], in currency: String) async throws(WalletError) -> [Price] {
        let key = PriceKey(coins: coins.sorted(), currency: currency)
        return try await priceLists.typedValue(for: key) { try await service.prices(of: key.coins, in: currency) }
    }
}

extension ExpiringCache {
    /// Returns the value for a key, and keeps the type of the service's errors. The cache itself throws only `CancellationError`.
    fileprivate func typedValue(for key: Key, load: @escaping @Sendable () async throws -> Value) async throws(WalletError) -> Value {
        do {
            return try await value(for: key, load: load)
        } catch let error as WalletError {
            throw error
        } catch {
            throw .other(.cancelled)
        }
    }
}
