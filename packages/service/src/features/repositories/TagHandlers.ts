import * as Effect from "effect/Effect"
import { Tags } from "@tongs/core/contract/groups/Tags"
import * as RefName from "../../git/values/RefName.ts"
import { nodeId } from "../../api/NodeId.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import { encodePath } from "../../api/Urls.ts"
import * as Shapes from "../../api/Shapes.ts"

export const make = Effect.succeed(
  group(Tags)({
    *list(_, { page, repository, urls }) {
      const refs = Paging.slice(yield* repository.git.refs("refs/tags/"), page)
      const url = Shapes.repositoryUrl(repository, urls)
      const items = refs.items.map(({ name, oid, peeled = oid }) => ({
        name: RefName.short(name),
        commit: { sha: Shapes.sha(peeled), url: `${url}/commits/${peeled}` },
        zipball_url: `${url}/zipball/${encodePath(name)}`,
        tarball_url: `${url}/tarball/${encodePath(name)}`,
        node_id: nodeId("Ref", `${repository.row.id}:${name}`)
      }))
      return { ...refs, items }
    }
  })
)
