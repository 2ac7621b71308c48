/// An interceptor that decides which addresses may be connected to, and that changes nothing else.
///
/// It also applies to connections that the client opens ahead of a call.
protocol ConnectionGuard: Interceptor {}
