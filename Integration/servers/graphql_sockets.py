"""GraphQL over WebSocket by strawberry and ariadne, with graphql-transport-ws and the older graphql-ws.

    uvicorn --app-dir Integration/servers --port PORT graphql_sockets:app

The last part of a path is the protocol of the server: `/strawberry/new`, `/strawberry/old`, `/ariadne/new`, `/ariadne/old`. A connection whose
payload has the token `Bearer old` is rejected, as each server rejects.
"""

import asyncio
import collections
from collections.abc import AsyncGenerator

import ariadne
import strawberry
from ariadne.asgi import GraphQL as Ariadne
from ariadne.asgi.handlers import GraphQLTransportWSHandler, GraphQLWSHandler
from ariadne.exceptions import WebSocketConnectionError
from strawberry.asgi import GraphQL as Strawberry
from strawberry.exceptions import ConnectionRejectionError
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL

expired = collections.Counter()


async def numbers(to):
    for number in range(1, to + 1):
        yield number
        await asyncio.sleep(0.001)


@strawberry.type
class Query:
    @strawberry.field
    def count(self) -> int:
        return 42


@strawberry.type
class Mutation:
    @strawberry.mutation
    def increase(self) -> int:
        return 43


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int) -> AsyncGenerator[int, None]:
        async for number in numbers(to):
            yield number

    @strawberry.subscription
    async def fails(self) -> AsyncGenerator[int, None]:
        yield 1
        raise Exception("in the middle")

    @strawberry.subscription
    async def expires(self, info: strawberry.Info, session: str) -> AsyncGenerator[int, None]:
        """Sends a number and closes the connection with 4401, as a server does whose token has expired. Then goes on."""
        expired[session] += 1
        yield expired[session]
        if expired[session] == 1:
            await info.context["request"].close(4401, "the token has expired")
            await asyncio.sleep(60)


class Guarded(Strawberry):
    async def on_ws_connect(self, context):
        if (context.get("connection_params") or {}).get("Authorization") == "Bearer old":
            raise ConnectionRejectionError({"reason": "old"})
        return await super().on_ws_connect(context)


sources = ariadne.SubscriptionType()


@sources.source("count")
async def count_source(root, info, to):
    async for number in numbers(to):
        yield number


@sources.source("fails")
async def fails_source(root, info):
    yield 1
    raise Exception("in the middle")


sources.set_field("count", lambda value, info, to: value)
sources.set_field("fails", lambda value, info: value)
queries, mutations = ariadne.QueryType(), ariadne.MutationType()
queries.set_field("count", lambda *_: 42)
mutations.set_field("increase", lambda *_: 43)
definitions = """
    type Query { count: Int! }
    type Mutation { increase: Int! }
    type Subscription { count(to: Int!): Int! fails: Int! }
"""


def guard(socket, payload):
    if isinstance(payload, dict) and payload.get("Authorization") == "Bearer old":
        raise WebSocketConnectionError({"message": "old"})


schema = strawberry.Schema(Query, Mutation, Subscription)
other = ariadne.make_executable_schema(definitions, queries, mutations, sources)
views = {
    "/strawberry/new": Guarded(schema, graphql_ide=None, subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,)),
    "/strawberry/old": Guarded(schema, graphql_ide=None, subscription_protocols=(GRAPHQL_WS_PROTOCOL,)),
    "/ariadne/new": Ariadne(other, websocket_handler=GraphQLTransportWSHandler(on_connect=guard)),
    "/ariadne/old": Ariadne(other, websocket_handler=GraphQLWSHandler(on_connect=guard)),
}


async def app(scope, receive, send):
    if scope["type"] in ("http", "websocket"):
        await views[scope["path"]](scope, receive, send)
