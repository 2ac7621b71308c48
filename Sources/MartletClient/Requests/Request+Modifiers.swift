extension Request {
    /// Returns a copy of the request with a time limit for the whole call. `.unlimited` removes the limit.
    ///
    /// Modifiers can be chained. They don't change the original:
    ///
    /// ```swift
    /// let request = Request<News>.get("news").timeout(.seconds(5)).header("X-A", "1").cachePolicy(.reload)
    /// ```
    public consuming func timeout(_ timeout: Duration) -> Self { changed { $0.timeout = timeout } }

    /// Returns a copy of the request with a header field, which replaces fields of the same name.
    public consuming func header(_ name: HTTPFieldName, _ value: String) -> Self { changed { $0.headers[name] = value } }

    /// Returns a copy of the request with these accepted statuses; any other throws `.statusCode`.
    public consuming func validating(_ validation: StatusValidation) -> Self { changed { $0.validation = validation } }

    /// Returns a copy of the request with a policy for the cache, if the client has one.
    public consuming func cachePolicy(_ policy: CachePolicy) -> Self { changed { $0.options.cachePolicy = policy } }

    /// Returns a copy of the request with a retry policy, used instead of the `RetryInterceptor`'s own.
    public consuming func retryPolicy(_ policy: RetryPolicy) -> Self { changed { $0.options.retryPolicy = policy } }

    /// Returns a copy of the request with a redirect policy, used instead of the client's.
    public consuming func redirects(_ policy: RedirectPolicy) -> Self { changed { $0.options.redirects = policy } }

    /// Returns a copy of the request with a name for logs and metrics.
    public consuming func named(_ name: String) -> Self { changed { $0.endpointName = name } }

    /// Returns a copy of the request with one more label for interceptors and logs.
    public consuming func tag(_ tag: String) -> Self { changed { $0.options.tags.insert(tag) } }

    private consuming func changed(_ change: (inout Self) -> Void) -> Self {
        var request = self
        change(&request)
        return request
    }
}
