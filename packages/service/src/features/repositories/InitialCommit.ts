/** How a repository begins that is not to be empty: with a README. */
import * as Effect from "effect/Effect"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"

const readme = (name: string, description: string | null) =>
  Buffer.from(`# ${name}\n${description === null ? "" : `\n${description}\n`}`)

/** Writes the first commit, by `author`, now; gives its id. No reference leads to it yet. */
export const writeInitialCommit = Effect.fnUntraced(function* ({ git, row }: ServedRepository, author: UserRow) {
  const blob = yield* git.writeBlob(readme(row.name, row.description))
  const tree = yield* git.writeTree([{ path: "README.md", mode: "100644", oid: blob }])
  const person = yield* Shapes.personOf(author)
  return yield* git.writeCommit({ tree, parents: [], author: person, committer: person, message: "Initial commit" })
})
