/** `git_trees_get`: what is in a tree, with where to go on where it is more than one answer holds. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry } from "@tongs/core/contract/Catalog"
import type { GitTreeEntry } from "@tongs/core/contract/GitObjects"
import * as ListResult from "./ListResult.ts"
import { isWithin, pathOf, type RepositoryName, repositoryOf, repositoryProperties, type Tool } from "./Tool.ts"

export const make = ({ operation, tool }: Entry, here: RepositoryName | undefined): Tool => ({
  name: tool,
  operation,
  description: "List the files and folders of a commit, with recursive or path the whole tree at once.",
  properties: {
    ...repositoryProperties(here),
    tree_sha: { type: "string", description: "Branch, tag, commit or tree; the default branch without it." },
    recursive: { type: "boolean", description: "Also what is in its folders." },
    path: { type: "string", description: "Only what is under this folder, at any depth." },
    verbose: { type: "boolean", description: "Also modes and ids." },
    cursor: ListResult.properties.cursor
  },
  required: here === undefined ? ["owner", "repo"] : [],
  run: Effect.fnUntraced(function* (input, { cursors, deadline }) {
    const forge = yield* Forge
    const { owner = "", repo = "" } = repositoryOf(input, here)
    const tree_sha = typeof input.tree_sha === "string" ? input.tree_sha : "HEAD"
    const path = pathOf(input)
    const recursive = input.recursive === true || path !== "" ? { recursive: "1" } : {}
    const { tree, truncated } = yield* forge.gitTrees.get({ owner, repo, tree_sha, ...recursive }, { deadline })
    const shown = tree.filter((entry) => isWithin(entry.path, path))
    return [
      yield* ListResult.readPage(
        input,
        cursors,
        () => Effect.succeed(ListResult.singlePage(shown, truncated)),
        input.verbose === true ? verbose : brief,
        "Nothing is there. Without a path, recursive lists all that there is."
      )
    ]
  })
})

/** Of the modes, that of links says more than the type. */
const brief = ({ mode, path, size, type }: GitTreeEntry) => ({ path, type: mode === "120000" ? "link" : type, size })

const verbose = ({ mode, path, sha, size, type }: GitTreeEntry) => ({ path, mode, type, sha, size })
