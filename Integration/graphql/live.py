"""Generates Swift from the schemas of running servers.

    python3 Integration/graphql/live.py GENERATOR FOLDER

GENERATOR is the program `martlet-graphql`. The servers are Integration/servers/graphql_server.py at MARTLET_STRAWBERRY_PORT and
graphql_sockets.py at MARTLET_SOCKETGRAPHQL_PORT. Each schema is downloaded, and Swift for the operations in Integration/graphql/live is written
to FOLDER/Generated. FOLDER is Integration/Sources/live, whose program sends the operations to the servers.

Fails if the schema as text gives other files, if --check finds a difference right after, or if it finds none when the schema has changed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

OPERATIONS = pathlib.Path(__file__).parent / "live"
SERVERS = {
    # The port, the paths of the endpoint, of the changed schema and of its text, and the scalars.
    "strawberry": ("STRAWBERRY", "graphql", "changed", "sdl", {
        "BigInteger": "String", "Digits": "UInt64", "Decimal": "GraphQLScalarText<Decimal>", "DateTime": "Date"}),
    "ariadne": ("SOCKETGRAPHQL", "ariadne/new", "ariadne/changed", "ariadne/sdl", {"Day": "String"}),
}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def generate(generator, folder, temporary, name):
    port, endpoint, changed, text, scalars = SERVERS[name]
    base = f"http://127.0.0.1:{os.environ[f'MARTLET_{port}_PORT']}/"
    types = [argument for scalar in scalars.items() for argument in ("--scalar", "=".join(scalar))]
    output, downloaded = folder / "Generated" / name, temporary / f"{name}.json"

    def run(status, schema, output, *arguments):
        command = [generator, "--schema", schema, "--operations", OPERATIONS / f"{name}.graphql", "--output", output, *types, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if result.returncode != status:
            sys.exit(f"{name}: exited with {result.returncode}, not {status}\n{result.stdout}{result.stderr}")
        return result.stdout + result.stderr

    run(0, downloaded, output, "--introspect", base + endpoint)
    files = contents(output)
    run(0, downloaded, output, "--introspect", base + endpoint, "--check")
    run(0, downloaded, output, "--check")

    # The schema as graphql-core prints it, and as the generator writes it.
    printed, written = temporary / f"{name}.graphqls", temporary / f"{name}-written.graphqls"
    with urllib.request.urlopen(base + text, timeout=10) as response:
        printed.write_bytes(response.read())
    run(0, printed, temporary / "printed" / name)
    run(0, written, temporary / "written" / name, "--introspect", base + endpoint)
    for other in ("printed", "written"):
        if contents(temporary / other / name) != files:
            sys.exit(f"{name}: the files from the {other} schema differ from those from introspection")

    found = run(1, downloaded, output, "--introspect", base + changed, "--check")
    if f"{name}.json: error: the file differs" not in found or ".swift: error: the file differs" not in found:
        sys.exit(f"{name}: --check did not find the changed schema and code\n{found}")
    if contents(output) != files:
        sys.exit(f"{name}: --check changed files")
    print(f"{name}: {len(files)} files from introspection, equal to those from the schema as text")


def main(generator, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder / "Generated", ignore_errors=True)
    (folder / "Generated").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        for name in SERVERS:
            generate(generator, folder, pathlib.Path(temporary), name)


if __name__ == "__main__":
    main(*sys.argv[1:])
