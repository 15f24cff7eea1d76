/** Initial commit of a repository, with a README. */
import * as Effect from "effect/Effect"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"

const readme = (name: string, description: string | null) =>
  Buffer.from(`# ${name}\n${description === null ? "" : `\n${description}\n`}`)

/** Writes the initial commit by `author`, with further files by path, and gives the commit id. Creates no reference. */
export const writeInitialCommit = Effect.fnUntraced(function* (
  { git, row }: ServedRepository,
  author: UserRow,
  files: Readonly<Record<string, string>> = {}
) {
  const contents = { "README.md": readme(row.name, row.description), ...files }
  const entries = yield* Effect.forEach(Object.entries(contents), ([path, content]) =>
    Effect.map(git.writeBlob(Buffer.from(content)), (oid) => ({ path, mode: "100644" as const, oid }))
  )
  const tree = yield* git.writeTree(entries)
  const person = yield* Shapes.personOf(author)
  return yield* git.writeCommit({ tree, parents: [], author: person, committer: person, message: "Initial commit" })
})
