"""GraphQL over WebSocket by strawberry and ariadne, with graphql-transport-ws and the older graphql-ws.

    uvicorn --app-dir Integration/servers --port PORT graphql_sockets:app

The last part of a path is the protocol of the server: `/strawberry/new`, `/strawberry/old`, `/ariadne/new`, `/ariadne/old`. A connection whose
payload has the token `Bearer old` is rejected, as each server rejects. `/ariadne/changed` has ariadne's schema after a change that breaks clients,
and `/ariadne/sdl` is the schema as text.
"""

import asyncio
import collections
import datetime
from collections.abc import AsyncGenerator

import ariadne
import strawberry
from ariadne.asgi import GraphQL as Ariadne
from ariadne.asgi.handlers import GraphQLTransportWSHandler, GraphQLWSHandler
from ariadne.exceptions import WebSocketConnectionError
from graphql import GraphQLError, print_schema
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


@sources.source("sighted")
async def sighted_source(root, info, habitat=None):
    for sighting in sightings:
        if habitat in (None, sighting["habitat"]):
            yield sighting


sources.set_field("count", lambda value, info, to: value)
sources.set_field("fails", lambda value, info: value)
sources.set_field("sighted", lambda value, info, habitat=None: value)
queries, mutations = ariadne.QueryType(), ariadne.MutationType()
queries.set_field("count", lambda *_: 42)
mutations.set_field("increase", lambda *_: 43)
definitions = """
    "A day of the calendar, such as 2026-05-17."
    scalar Day

    enum Habitat { SEA CITY "Steep rock." OLD_CLIFF }

    "An animal."
    interface Animal { id: ID! name: String! }
    type Bird implements Animal { id: ID! name: String! "In metres." wingspan: Float mate: Bird }
    type Fish implements Animal { id: ID! name: String! depth: Int! }

    "An animal that somebody saw."
    type Sighting { animal: Animal! habitat: Habitat! day: Day! note: String }

    input SightingFilter { habitats: [Habitat!]! since: Day! note: String limit: Int! = 10 }
    input SightingInput { animal: ID! habitat: Habitat! day: Day! note: String }

    type Query {
      count: Int!
      sightings(filter: SightingFilter!): [Sighting!]!
      animal(id: ID!): Animal
      "Only for those who know it."
      nest(of: ID!): String
    }
    type Mutation { increase: Int! report(sighting: SightingInput!): Sighting! }
    type Subscription { count(to: Int!): Int! fails: Int! sighted(habitat: Habitat): Sighting! }
"""
animals = {
    "1": {"id": "1", "name": "Gannet", "wingspan": 1.75},
    "2": {"id": "2", "name": "Swift", "wingspan": None},
    "3": {"id": "3", "name": "Cod", "depth": 200},
}
animals["1"]["mate"] = {"id": "4", "name": "Gannet's mate", "wingspan": 1.7}
sightings = [
    {"animal": animals[animal], "habitat": habitat, "day": datetime.date(2026, 5, day), "note": note}
    for animal, habitat, day, note in (("1", "OLD_CLIFF", 1, "two eggs"), ("2", "CITY", 2, None), ("3", "SEA", 3, None))
]


@queries.field("sightings")
def sightings_field(root, info, filter):
    found = [s for s in sightings if s["habitat"] in filter["habitats"] and s["day"] >= filter["since"]]
    # A filter with null finds those without a note, and one without the field finds all.
    found = [s for s in found if "note" not in filter or s["note"] == filter["note"]]
    return found[: filter["limit"]]


@queries.field("animal")
def animal_field(root, info, id):
    return animals.get(id)


@queries.field("nest")
def nest_field(root, info, of):
    raise GraphQLError("the nest is secret", extensions={"code": "FORBIDDEN"})


@mutations.field("report")
def report_field(root, info, sighting):
    return {**sighting, "animal": animals[sighting["animal"]]}


types = [
    queries,
    mutations,
    sources,
    ariadne.InterfaceType("Animal", lambda value, *_: "Fish" if "depth" in value else "Bird"),
    ariadne.ScalarType("Day", serializer=datetime.date.isoformat, value_parser=datetime.date.fromisoformat),
]


def guard(socket, payload):
    if isinstance(payload, dict) and payload.get("Authorization") == "Bearer old":
        raise WebSocketConnectionError({"message": "old"})


schema = strawberry.Schema(Query, Mutation, Subscription)
other = ariadne.make_executable_schema(definitions, *types)
changed = ariadne.make_executable_schema(definitions.replace("wingspan: Float", "wingspan: Float!"), *types)


async def sdl(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain; charset=utf-8")]})
    await send({"type": "http.response.body", "body": print_schema(other).encode()})


views = {
    "/strawberry/new": Guarded(schema, graphql_ide=None, subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,)),
    "/strawberry/old": Guarded(schema, graphql_ide=None, subscription_protocols=(GRAPHQL_WS_PROTOCOL,)),
    "/ariadne/new": Ariadne(other, websocket_handler=GraphQLTransportWSHandler(on_connect=guard)),
    "/ariadne/old": Ariadne(other, websocket_handler=GraphQLWSHandler(on_connect=guard)),
    "/ariadne/changed": Ariadne(changed),
    "/ariadne/sdl": sdl,
}


async def app(scope, receive, send):
    if scope["type"] in ("http", "websocket"):
        await views[scope["path"]](scope, receive, send)
