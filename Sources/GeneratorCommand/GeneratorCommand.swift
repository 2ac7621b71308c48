// GeneratorCommand: what the programs that generate code have in common: arguments, files, errors with exit statuses.
//
// - `ArgumentSyntax`: options with and without values, and positions.
// - `Files`: reads files, and writes all of several files or none.
// - `CommandError`: why a program wrote nothing.
//
// Imports: MartletSystem. Start with `ArgumentSyntax`.
