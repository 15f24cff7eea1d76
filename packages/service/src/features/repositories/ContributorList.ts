/** The contributors of a repository, by account. */
import * as Effect from "effect/Effect"
import type { Contributor } from "@tongs/core/contract/groups/Repositories"
import { UserRows } from "../../accounts/UserRows.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Paging from "../../base/Paging.ts"
import * as Contributors from "../../git/history/Contributors.ts"
import { Git } from "../../git/process/Git.ts"

/**
 * Maximum number of email addresses that are linked to accounts, the addresses with the most commits first. All further
 * addresses are anonymous, as on GitHub.
 */
const MAX_LINKED = 500

/** Creates the function that lists contributors, or returns `undefined` for an empty repository. */
export const make = Effect.gen(function* () {
  const users = yield* UserRows
  const contributors = Contributors.make(yield* Git)

  return Effect.fnUntraced(function* (anonymous: boolean, { page, repository: { git }, urls }: RepositoryContext) {
    const commit = yield* git.resolve("HEAD")
    if (commit === undefined) return undefined
    const linked = new Map<number, Contributor>()
    const others: Array<Contributor> = []
    for (const [index, { commits, email, name }] of (yield* contributors(git.gitDir, commit)).entries()) {
      const user = index < MAX_LINKED ? yield* users.byEmail(email) : undefined
      if (user === undefined) {
        others.push({ type: "Anonymous", contributions: commits, email, name })
      } else {
        const contributions = commits + (linked.get(user.id)?.contributions ?? 0)
        linked.set(user.id, { ...Shapes.userSummary(user, urls), contributions })
      }
    }
    const all = [...linked.values(), ...(anonymous ? others : [])]
    return Paging.slice(
      all.toSorted((a, b) => b.contributions - a.contributions),
      page
    )
  })
})
