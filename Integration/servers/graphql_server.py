"""GraphQL by strawberry: partial data, errors in a 200, batches, uploads, subscriptions over two kinds of stream, @defer and @stream.

One process, so that its counters are correct:
    uvicorn --app-dir Integration/servers --port PORT graphql_server:app

`/graphql` is unmodified strawberry plus persisted queries, which strawberry does not have. `/beating` adds a heartbeat every 20 ms. `/typed`
responds with application/graphql-response+json and that type's statuses, where strawberry always sends application/json and 200. `/socket` takes
WebSockets too. `/changed` has the schema after a change that breaks clients, and `/sdl` is the schema as text.
"""

import asyncio
import collections
import datetime
import decimal
import enum
import hashlib
from collections.abc import AsyncGenerator
from typing import Annotated, NewType, Optional, Union

import strawberry
from graphql import GraphQLError
from strawberry import relay
from strawberry.asgi import GraphQL
from strawberry.extensions import SchemaExtension
from strawberry.file_uploads import Upload
from strawberry.http.streaming import MultipartSubscriptionTransport, SSETransport
from strawberry.scalars import Base64
from strawberry.schema.config import StrawberryConfig
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL

# The first is serialized as text, the second as a JSON number.
BigInteger = NewType("BigInteger", int)
Digits = NewType("Digits", int)
requests = collections.Counter()
documents = collections.Counter()
hashes = collections.defaultdict(list)
open_streams = collections.Counter()
connections = collections.Counter()


def failure(message, code):
    return GraphQLError(message, extensions={"code": code, "retryable": False})


@strawberry.enum
class Species(enum.Enum):
    SWIFT = "SWIFT"
    MARTLET = "MARTLET"
    AUK = "AUK"


@strawberry.type
class Hero:
    id: strawberry.ID
    species: Species
    weight: decimal.Decimal
    ringed: datetime.datetime
    flown: BigInteger
    beats: Digits

    @strawberry.field
    def name(self) -> str:
        return {"1": "Swift", "2": "Martlet", "3": "Auk"}[self.id]

    @strawberry.field
    def nest(self) -> Optional[str]:
        raise failure("the nest is secret", "FORBIDDEN")

    @strawberry.field
    async def song(self, after: float = 0.02) -> str:
        await asyncio.sleep(after)
        return f"the song of {self.name()}"

    @strawberry.field
    async def egg(self) -> str:
        await asyncio.sleep(0.01)
        raise failure("no egg", "NOT_FOUND")

    @strawberry.field
    def mate(self) -> Optional["Hero"]:
        return heroes.get({"1": "2", "2": "1"}.get(self.id))

    @strawberry.field
    async def flights(self, until: int = 3, breaks_at: int = 0) -> strawberry.Streamable[str]:
        for number in range(until):
            await asyncio.sleep(0.005)
            if number + 1 == breaks_at:
                raise failure("lost in the clouds", "LOST")
            yield f"flight {number}"


heroes = {
    id: Hero(
        id=strawberry.ID(id),
        species=species,
        weight=decimal.Decimal(weight),
        ringed=datetime.datetime(2026, 5, 17, 4, 30, 0, 250000, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
        flown=BigInteger(170141183460469231731687303715884105727),
        beats=Digits(18446744073709551615),
    )
    for id, species, weight in (
        ("1", Species.SWIFT, "41.70"), ("2", Species.MARTLET, "0.1"), ("3", Species.AUK, "12345678901234567890.123456789"))
}


@strawberry.type
class Bird(relay.Node):
    id: relay.NodeID[int]
    name: str


# What a search finds.
Finding = Annotated[Union[Hero, Bird], strawberry.union("Finding")]


@strawberry.input(description="What to search for.")
class Search:
    species: Species
    ringed_before: datetime.datetime
    heavier_than: Optional[decimal.Decimal] = strawberry.field(default=None, description="In grams.")
    limit: int = 10


@strawberry.type
class BirdPage:
    items: list[str]
    total: int


@strawberry.type
class User:
    name: str


@strawberry.type
class Served:
    requests: int
    documents: int
    hashes: list[str]
    open_streams: int


@strawberry.type
class Query:
    @strawberry.field
    def hero(self, id: strawberry.ID) -> Optional[Hero]:
        return heroes.get(id)

    @strawberry.field
    def heroes(self, species: Optional[list[Species]] = None) -> list[Hero]:
        return [hero for hero in heroes.values() if species is None or hero.species in species]

    @strawberry.field(description="The heroes of a species, and one bird.")
    def search(self, search: Search) -> list[Finding]:
        found = [hero for hero in heroes.values() if hero.species == search.species and hero.ringed < search.ringed_before]
        found = [hero for hero in found if search.heavier_than is None or hero.weight > search.heavier_than]
        return (found + [Bird(id=7, name="bird 7")])[: search.limit]

    @strawberry.field
    def doomed(self) -> str:
        raise failure("a field that may not be null, and has none", "INTERNAL_SERVER_ERROR")

    @strawberry.field
    def me(self, info: strawberry.Info) -> User:
        if info.context["request"].headers.get("authorization") != "Bearer feather":
            raise failure("no feather", "UNAUTHENTICATED")
        return User(name="a bird of passage")

    @relay.connection(relay.ListConnection[Bird])
    def birds(self) -> list[Bird]:
        return [Bird(id=number, name=f"bird {number}") for number in range(7)]

    @strawberry.field
    def bird_page(self, offset: int, limit: int) -> BirdPage:
        return BirdPage(items=[f"bird {number}" for number in range(7)][offset : offset + limit], total=7)

    @strawberry.field
    def sum(self, flown: BigInteger, beats: Digits, weight: decimal.Decimal, ringed: datetime.datetime) -> str:
        return f"{flown + 1} {beats + 1} {weight} {ringed.isoformat()}"

    @strawberry.field
    def served(self, session: str) -> Served:
        return Served(
            requests=requests[session], documents=documents[session], hashes=hashes[session], open_streams=open_streams[session])


@strawberry.type
class FileReport:
    name: str
    type: str
    size: int
    content: Base64


async def report(file):
    # One file may be used in several places.
    await file.seek(0)
    content = await file.read()
    return FileReport(name=file.filename, type=file.content_type, size=len(content), content=Base64(content))


@strawberry.input
class Album:
    title: str
    cover: Upload
    pages: list[Upload]


@strawberry.input
class Rename:
    id: strawberry.ID
    name: Optional[str] = strawberry.UNSET
    species: Optional[Species] = None


@strawberry.type
class AlbumReport:
    title: str
    cover: FileReport
    pages: list[FileReport]


@strawberry.type
class Mutation:
    @strawberry.mutation
    def rename(self, bird: Rename) -> str:
        if bird.name == "":
            raise failure("a name is not empty", "BAD_USER_INPUT")
        return "left alone" if bird.name is strawberry.UNSET else "cleared" if bird.name is None else f"{bird.id} is {bird.name}"

    @strawberry.mutation
    async def read_file(self, file: Upload) -> FileReport:
        return await report(file)

    @strawberry.mutation
    async def read_files(self, files: list[Upload]) -> list[FileReport]:
        return [await report(file) for file in files]

    @strawberry.mutation
    async def read_album(self, album: Album) -> AlbumReport:
        return AlbumReport(
            title=album.title, cover=await report(album.cover), pages=[await report(page) for page in album.pages])


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int, every: float = 0.002) -> AsyncGenerator[int, None]:
        for number in range(1, to + 1):
            yield number
            await asyncio.sleep(every)

    @strawberry.subscription
    async def raises(self, after: int) -> AsyncGenerator[int, None]:
        for number in range(1, after + 1):
            yield number
        raise failure("in the middle", "MIDDLE")

    @strawberry.subscription
    async def sightings(self) -> AsyncGenerator[Hero, None]:
        for hero in heroes.values():
            yield hero

    @strawberry.subscription
    async def private(self, info: strawberry.Info) -> AsyncGenerator[str, None]:
        if info.context["request"].headers.get("authorization") != "Bearer feather":
            raise failure("no feather", "UNAUTHENTICATED")
        yield "welcome"

    @strawberry.subscription
    async def drops(self, info: strawberry.Info, session: str, times: int = 1) -> AsyncGenerator[int, None]:
        """Sends two numbers and then drops the connection, `times` times. Then sends all numbers to the end."""
        connections[session] += 1
        first = 2 * connections[session] - 1
        yield first
        yield first + 1
        if connections[session] <= times:
            await asyncio.sleep(0.02)
            info.context["request"].scope["martlet.drop"].set()
            await asyncio.sleep(60)

    @strawberry.subscription
    async def silent(self, session: str) -> AsyncGenerator[str, None]:
        """Sends one value, and then nothing until the client disconnects."""
        open_streams[session] += 1
        try:
            yield "here"
            await asyncio.sleep(60)
        finally:
            open_streams[session] -= 1


class PersistedQueries(SchemaExtension):
    """Automatic persisted queries as in Apollo's servers. Strawberry has none, so the test implements them."""

    stored = {}

    def on_operation(self):
        context = self.execution_context
        session = context.context["request"].headers.get("x-session")
        digest = ((context.operation_extensions or {}).get("persistedQuery") or {}).get("sha256Hash")
        if session and context.query:
            documents[session] += 1
        if session and digest:
            hashes[session].append(digest)
        if digest and context.query:
            if hashlib.sha256(context.query.encode()).hexdigest() != digest:
                raise failure("provided sha does not match query", "PERSISTED_QUERY_HASH_MISMATCH")
            self.stored[digest] = context.query
        elif digest:
            context.query = self.stored.get(digest)
            if context.query is None:
                raise GraphQLError("PersistedQueryNotFound", extensions={"code": "PERSISTED_QUERY_NOT_FOUND"})
        yield


scalars = {
    BigInteger: strawberry.scalar(name="BigInteger", serialize=str, parse_value=int),
    Digits: strawberry.scalar(name="Digits", serialize=int, parse_value=int),
}


def schema_with(query):
    return strawberry.Schema(
        query,
        Mutation,
        Subscription,
        types=[Bird],
        extensions=[PersistedQueries],
        config=StrawberryConfig(
            enable_experimental_incremental_execution=True, batching_config={"max_operations": 10}, scalar_map=scalars),
    )


@strawberry.type(name="Query")
class ChangedQuery(Query):
    @strawberry.field
    def heroes(self, species: Optional[list[Species]] = None) -> Optional[list[Hero]]:
        return None


schema = schema_with(Query)


class BeatingMultipart(MultipartSubscriptionTransport):
    heartbeat_interval = 0.02


class BeatingEvents(SSETransport):
    def __init__(self):
        super().__init__(0.02)


class Beating(GraphQL):
    stream_transport_classes_by_protocol = {
        MULTIPART_SUBSCRIPTION_PROTOCOL: BeatingMultipart, GRAPHQL_SSE_PROTOCOL: BeatingEvents}


class Typed(GraphQL):
    """Strawberry's responses in the form of the GraphQL over HTTP draft."""

    def create_response(self, response_data, sub_response):
        response = super().create_response(response_data, sub_response)
        response.headers["content-type"] = "application/graphql-response+json; charset=utf-8"
        if isinstance(response_data, dict) and response_data["data"] is None:
            executed = any("path" in error for error in response_data["errors"])
            response.status_code = 200 if executed else 400
        return response


options = {
    "graphql_ide": None,
    "multipart_uploads_enabled": True,
    "subscription_protocols": (GRAPHQL_SSE_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL),
}
views = {
    "/graphql": GraphQL(schema, **options),
    "/beating": Beating(schema, **options),
    "/typed": Typed(schema, **options),
    "/socket": GraphQL(schema, graphql_ide=None, subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,)),
    "/changed": GraphQL(schema_with(ChangedQuery), graphql_ide=None),
}


async def page(scope, receive, send):
    bodies = {"/page": b"<p>no graph</p>", "/sdl": schema.as_str().encode()}
    headers = [(b"content-type", b"text/html; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200 if scope["path"] in bodies else 404, "headers": headers})
    await send({"type": "http.response.body", "body": bodies.get(scope["path"], bodies["/page"])})


async def app(scope, receive, send):
    """Counts requests, and drops a connection when a subscription asks for it, as if the process had died."""
    if scope["type"] == "websocket":
        return await views["/socket"](scope, receive, send)
    if scope["type"] != "http":
        return
    requests[dict(scope["headers"]).get(b"x-session", b"").decode()] += 1
    drop = scope["martlet.drop"] = asyncio.Event()
    answer = asyncio.ensure_future(views.get(scope["path"], page)(scope, receive, send))
    dropped = asyncio.ensure_future(drop.wait())
    try:
        await asyncio.wait((answer, dropped), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ConnectionError("as if the process died")
        await answer
    finally:
        answer.cancel()
        dropped.cancel()
