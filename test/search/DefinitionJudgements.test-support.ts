/**
 * Fifty uses of names, each with the only right place of the definition, judged by reading the code before definitions
 * were searched from a position. Each name has at least three candidates in the repositories, `others` beside the right
 * one. Names are left out if the architecture or the configuration chooses between two definitions.
 *
 * `definitions.json` has the uses and `references.json` the declarations of fifty symbols of vuejs/core whose uses a
 * compiler knows: of each kind the first by the SHA-1 of `path:line:name` that is used at all, each name once, from the
 * sources of the packages without tests. Lines are from 1, columns from 0, both of `commits`.
 */
import * as Schema from "effect/Schema"
import definitions from "./definitions.json" with { type: "json" }
import references from "./references.json" with { type: "json" }

const Commits = Schema.Record(Schema.String, Schema.String)

/** A position of a name in a file of a repository. */
const Position = { path: Schema.String, line: Schema.Int, column: Schema.Int, name: Schema.String }

const Definitions = Schema.Struct({
  commits: Commits,
  names: Schema.Array(
    Schema.Struct({
      repository: Schema.String,
      ...Position,
      definition: Schema.Struct({ path: Schema.String, line: Schema.Int }),
      others: Schema.Int
    })
  )
})

const References = Schema.Struct({
  repository: Schema.String,
  commit: Schema.String,
  symbols: Schema.Array(Schema.Struct({ ...Position, kind: Schema.String }))
})

/** The uses, and the definition of each. Linux is 6.1.192 as one commit: the sources of Debian's `linux-source-6.1`. */
export const definitionJudgements = Schema.decodeSync(Definitions)(definitions)

/** The symbols whose references a compiler knows. */
export const referenceSymbols = Schema.decodeSync(References)(references)
