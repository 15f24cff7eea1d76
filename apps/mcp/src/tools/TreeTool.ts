/** The tool `git_trees_get`: the entries of a git tree, filtered by path, in results with a cursor to the next one. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type { GitTreeEntry } from "@tongs/core/contract/GitObjects"
import * as ListResult from "./ListResult.ts"
import {
  isWithin,
  pathOf,
  type RepositoryName,
  repositoryOf,
  repositoryParameters,
  requiredRepository,
  type Tool
} from "./Tool.ts"

/** Creates the tool for the operation `gitTrees.get`. */
export const make = ({ operation, tool }: CatalogEntry, defaultRepository: RepositoryName | undefined): Tool => ({
  name: tool,
  operation,
  description: "List the files and folders of a commit. Pass recursive or path to include the contents of subfolders.",
  properties: {
    ...repositoryParameters(defaultRepository),
    tree_sha: { type: "string", description: "Branch, tag, commit or tree. Default: the default branch." },
    recursive: { type: "boolean", description: "Include the contents of subfolders." },
    path: { type: "string", description: "Only entries in this folder, at any depth." },
    verbose: { type: "boolean", description: "Include modes and object ids." },
    cursor: ListResult.properties.cursor
  },
  required: requiredRepository(defaultRepository),
  run: Effect.fnUntraced(function* (input, { cursors, deadline }) {
    const forge = yield* Forge
    const { owner = "", repo = "" } = repositoryOf(input, defaultRepository)
    const tree_sha = typeof input.tree_sha === "string" ? input.tree_sha : "HEAD"
    const path = pathOf(input)
    const recursive = input.recursive === true || path !== "" ? { recursive: "1" } : {}
    const { tree, truncated } = yield* forge.gitTrees.get({ owner, repo, tree_sha, ...recursive }, { deadline })
    const entries = tree.filter((entry) => isWithin(entry.path, path))
    return [
      yield* ListResult.readPage(
        input,
        cursors,
        () => Effect.succeed(ListResult.singlePage(entries, truncated)),
        input.verbose === true ? verbose : brief,
        "No entries. To list the whole tree, omit path and set recursive."
      )
    ]
  })
})

/** Shortens a tree entry to path, type and size. Symbolic links get the type `link` instead of `blob`. */
const brief = ({ mode, path, size, type }: GitTreeEntry) => ({ path, type: mode === "120000" ? "link" : type, size })

const verbose = ({ mode, path, sha, size, type }: GitTreeEntry) => ({ path, mode, type, sha, size })
