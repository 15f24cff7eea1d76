/** Initial commit of a repository, with a README. */
import * as Effect from "effect/Effect"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"

const readme = (name: string, description: string | null) =>
  Buffer.from(`# ${name}\n${description === null ? "" : `\n${description}\n`}`)

/** Writes the initial commit by `author` and gives its id. Creates no reference. */
export const writeInitialCommit = Effect.fnUntraced(function* ({ git, row }: ServedRepository, author: UserRow) {
  const blob = yield* git.writeBlob(readme(row.name, row.description))
  const tree = yield* git.writeTree([{ path: "README.md", mode: "100644", oid: blob }])
  const person = yield* Shapes.personOf(author)
  return yield* git.writeCommit({ tree, parents: [], author: person, committer: person, message: "Initial commit" })
})
