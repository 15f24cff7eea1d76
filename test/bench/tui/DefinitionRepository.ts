/** A repository of TypeScript files, and one file that imports a function of each. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

/** The subject of the newest commit. */
export const SUBJECT = "Add the parts"

/** The path of the file with the imports. */
export const IMPORTS = "src/imports.ts"

export interface Name {
  /** A text of its line in the file with the imports. */
  readonly use: string
  /** A text beside the definition, which no other file contains. */
  readonly definition: string
}

/** The names, in the order of the imports: one a line. */
export const names: ReadonlyArray<Name> = Array.from({ length: 200 }, (_, index) => ({
  use: `"./part${index}.ts"`,
  definition: `Returns the share of part ${index}.`
}))

/** Creates the repository in a folder that does not exist. */
export const make = Effect.fnUntraced(function* (path: string) {
  mkdirSync(join(path, "src"), { recursive: true })
  for (const [index, { definition }] of names.entries())
    writeFileSync(
      join(path, `src/part${index}.ts`),
      `/** ${definition} */\nexport const share${index} = (whole: number): number => whole / ${index + 1}\n`
    )
  const imports = names.map(({ use }, index) => `import { share${index} } from ${use}`)
  writeFileSync(join(path, IMPORTS), `${imports.join("\n")}\n`)
  const git = (...args: ReadonlyArray<string>) => BenchmarkEnvironment.runCommand("git", ["-C", path, ...args])
  yield* git("init", "--quiet", "--initial-branch=main")
  yield* git("add", ".")
  yield* git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", SUBJECT)
  return path
})
