import * as Effect from "effect/Effect"
import { Branches } from "@tongs/core/contract/Branches"
import * as RefName from "../../git/RefName.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Handler of the list of branches. */
export const make = Effect.succeed(
  group(Branches)({
    *list(_, { page, repository, urls }) {
      const refs = Paging.slice(yield* repository.git.refs("refs/heads/"), page)
      const items = refs.items.map(({ name, oid }) => ({
        name: RefName.short(name),
        commit: { sha: Shapes.sha(oid), url: `${Shapes.repositoryUrl(repository, urls)}/commits/${oid}` },
        protected: false
      }))
      return { ...refs, items }
    }
  })
)
