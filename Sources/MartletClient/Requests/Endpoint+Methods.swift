public import MartletEssentials

// The requests that `.get("users")` and its siblings mean where a call takes any endpoint. As members of `Endpoint` they serve each of the
// calls that take one, so that no call needs a variant for requests.

/// The type ``Request``. Code completion does not list the functions for methods after the name of an endpoint that does not conform to it.
public protocol _RequestType {}
extension Request: _RequestType {}

extension Endpoint where Self: _RequestType {
    // MARK: Decoded as the type that the call names

    /// Creates a GET request for a path below the base URL.
    public static func get<Value: Decodable & Sendable>(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self
    where Self == Request<Value> {
        Self(method: .get, path: path, query: query, headers: headers)
    }

    /// Creates a GET request for a full URL, to whose query `query` is added.
    public static func get<Value: Decodable & Sendable>(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self
    where Self == Request<Value> {
        Self(method: .get, url: url, query: query, headers: headers)
    }

    /// Creates a HEAD request for a path below the base URL.
    public static func head<Value: Decodable & Sendable>(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self
    where Self == Request<Value> {
        Self(method: .head, path: path, query: query, headers: headers)
    }

    /// Creates a HEAD request for a full URL, to whose query `query` is added.
    public static func head<Value: Decodable & Sendable>(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self
    where Self == Request<Value> {
        Self(method: .head, url: url, query: query, headers: headers)
    }

    /// Creates an OPTIONS request for a path below the base URL.
    public static func options<Value: Decodable & Sendable>(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self
    where Self == Request<Value> {
        Self(method: .options, path: path, query: query, headers: headers)
    }

    /// Creates an OPTIONS request for a full URL, to whose query `query` is added.
    public static func options<Value: Decodable & Sendable>(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self
    where Self == Request<Value> {
        Self(method: .options, url: url, query: query, headers: headers)
    }

    /// Creates a POST request for a path below the base URL.
    public static func post<Value: Decodable & Sendable>(
        _ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil
    ) -> Self where Self == Request<Value> {
        Self(method: .post, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a POST request for a full URL, to whose query `query` is added.
    public static func post<Value: Decodable & Sendable>(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil)
        -> Self where Self == Request<Value>
    {
        Self(method: .post, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a PUT request for a path below the base URL.
    public static func put<Value: Decodable & Sendable>(
        _ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil
    ) -> Self where Self == Request<Value> {
        Self(method: .put, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PUT request for a full URL, to whose query `query` is added.
    public static func put<Value: Decodable & Sendable>(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil)
        -> Self where Self == Request<Value>
    {
        Self(method: .put, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a PATCH request for a path below the base URL.
    public static func patch<Value: Decodable & Sendable>(
        _ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil
    ) -> Self where Self == Request<Value> {
        Self(method: .patch, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PATCH request for a full URL, to whose query `query` is added.
    public static func patch<Value: Decodable & Sendable>(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil)
        -> Self where Self == Request<Value>
    {
        Self(method: .patch, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a DELETE request for a path below the base URL.
    public static func delete<Value: Decodable & Sendable>(
        _ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil
    ) -> Self where Self == Request<Value> {
        Self(method: .delete, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a DELETE request for a full URL, to whose query `query` is added.
    public static func delete<Value: Decodable & Sendable>(
        url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil
    ) -> Self where Self == Request<Value> {
        Self(method: .delete, url: url, query: query, headers: headers, body: body)
    }
}

extension Endpoint where Self: _RequestType {
    // MARK: Without a named type

    // Not generic, so that the compiler prefers them where nothing names a type.

    /// Creates a HEAD request for a path below the base URL whose response has no value.
    public static func head(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self where Self == Request<EmptyResponse> {
        Self(method: .head, path: path, query: query, headers: headers)
    }

    /// Creates a HEAD request for a full URL whose response has no value.
    public static func head(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self where Self == Request<EmptyResponse> {
        Self(method: .head, url: url, query: query, headers: headers)
    }

    /// Creates an OPTIONS request for a path below the base URL whose response has no value.
    public static func options(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self where Self == Request<EmptyResponse> {
        Self(method: .options, path: path, query: query, headers: headers)
    }

    /// Creates an OPTIONS request for a full URL whose response has no value.
    public static func options(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self where Self == Request<EmptyResponse> {
        Self(method: .options, url: url, query: query, headers: headers)
    }

    /// Creates a POST request for a path below the base URL whose response has no value.
    public static func post(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .post, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a POST request for a full URL whose response has no value.
    public static func post(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .post, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a PUT request for a path below the base URL whose response has no value.
    public static func put(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .put, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PUT request for a full URL whose response has no value.
    public static func put(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .put, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a PATCH request for a path below the base URL whose response has no value.
    public static func patch(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .patch, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PATCH request for a full URL whose response has no value.
    public static func patch(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .patch, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a DELETE request for a path below the base URL whose response has no value.
    public static func delete(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .delete, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a DELETE request for a full URL whose response has no value.
    public static func delete(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self
    where Self == Request<EmptyResponse> {
        Self(method: .delete, url: url, query: query, headers: headers, body: body)
    }

    // The response to a GET has a value. Not available and not generic, so that these are chosen only where nothing names its type, and say
    // so.

    /// Unavailable: nothing names the type of the response.
    @available(
        *, unavailable,
        message: "name the type of the response, as in `let user: User = try await client.send(.get(…))`, or pass it, as in `as: User.self`"
    )
    public static func get(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self where Self == Request<EmptyResponse> {
        Self(method: .get, path: path, query: query, headers: headers)
    }

    /// Unavailable: nothing names the type of the response.
    @available(
        *, unavailable,
        message: "name the type of the response, as in `let user: User = try await client.send(.get(…))`, or pass it, as in `as: User.self`"
    )
    public static func get(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self where Self == Request<EmptyResponse> {
        Self(method: .get, url: url, query: query, headers: headers)
    }
}
