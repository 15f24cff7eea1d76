/** Relation of a comment's author to the repository. */
import * as Effect from "effect/Effect"
import type { GitError } from "../../git/values/GitError.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Relation of an author to a repository, from most to least privileged. */
export type AuthorAssociation = "OWNER" | "MEMBER" | "COLLABORATOR" | "CONTRIBUTOR" | "NONE"

/** Author of a comment. */
export interface Author {
  /** Undefined if the account was deleted. */
  readonly user: UserRow | undefined
  readonly association: AuthorAssociation
}

const nobody: Author = { user: undefined, association: "NONE" }

/** Makes a function that reads the authors of a repository's comments, by account id. Reads each author once. */
export const make = Effect.gen(function* () {
  const users = yield* UserRows
  const organizations = yield* OrganizationRows

  const association = Effect.fnUntraced(function* (
    { git, row }: ServedRepository,
    user: UserRow
  ): Effect.fn.Return<AuthorAssociation, GitError> {
    if (user.id === row.owner.id) return "OWNER"
    if (row.owner.type === "Organization" && (yield* organizations.role(row.owner.id, user.id)) !== undefined)
      return "MEMBER"
    if ((yield* organizations.collaboration(row.id, user.id)) !== undefined) return "COLLABORATOR"
    const from = yield* git.resolve("HEAD")
    if (from === undefined) return "NONE"
    const { email } = yield* Shapes.personOf(user)
    const commits = yield* git.log({ from, author: `<${email}>`, skip: 0, limit: 1 })
    return commits.length > 0 ? "CONTRIBUTOR" : "NONE"
  })

  const author = Effect.fnUntraced(function* (repository: ServedRepository, id: number) {
    const user = yield* users.byId(id)
    return user === undefined ? nobody : { user, association: yield* association(repository, user) }
  })

  return Effect.fnUntraced(function* (
    repository: ServedRepository,
    comments: ReadonlyArray<{ readonly user_id: number | null }>
  ) {
    const authors = new Map<number | null, Author>()
    for (const { user_id } of comments) {
      if (authors.has(user_id)) continue
      authors.set(user_id, user_id === null ? nobody : yield* author(repository, user_id))
    }
    return (id: number | null): Author => authors.get(id) ?? nobody
  })
})
