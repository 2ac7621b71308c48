/// The text of `--help`.
enum Help {
    static let text = """
        Writes an endpoint for Martlet, its models, a repository's method and a test, from sample JSON.

        usage: swift package --allow-writing-to-package-directory martlet-endpoint METHOD PATH [options]
               swift run martlet-endpoint METHOD PATH [options]

          METHOD                 GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE or QUERY
          PATH                   the path with named values: /users/{id:Int}/orders. Types: String (default), Int, Int64, UUID

        samples
          --response FILE        a sample of the response; several are merged. - is standard input (not with swift package)
          --body FILE            a sample of the request's body; several are merged
          --query QUERY          a sample of the query: "page=1&sort=name"
          --max-size BYTES       the limit for a sample (default: 1000000)
          --max-depth LEVELS     the limit for its nesting (default: 32)

        files
          --target NAME          with swift package: the target for the endpoint, and its test target (default: the only one)
          --output FOLDER        the folder for the endpoint (default: the current folder)
          --tests FOLDER         the folder for the test (default: no test)
          --module NAME          the module that the test imports (default: from --output: Sources/NAME)
          --force                replaces existing files of the endpoint, but never a repository
          --dry-run              prints the files and writes nothing

        names and declarations
          --name NAME            the endpoint's type (default: from METHOD and PATH: GetUser, ListUsers, CreateUser)
          --model NAME           a type at the top level for the response; without a sample, one that exists
          --repository NAME      the repository (default: from PATH: UsersRepository)
          --no-repository        only the endpoint, its models and its test
          --public               public declarations
          --nonisolated          for modules that isolate to the main actor by default
          --snake-case           for clients with the coders .snakeCase
          --json-readable        responses that read themselves from JSON, about twice as fast. Not with --snake-case

        types
          --enum NAMES           string members that become enums, separated by commas
          --no-enums             no enums, except those of --enum
          --dictionary NAMES     members whose objects are dictionaries, separated by commas
          --decimal              numbers with a fraction are Decimal, not Double

        exit status: 0 written, 64 invalid arguments, 65 invalid sample, 66 unreadable sample, 73 not written
        """
}
