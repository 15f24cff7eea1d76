/** The tools that the server offers. */
import * as Catalog from "@tongs/core/contract/CatalogEntry"
import * as Operation from "@tongs/core/contract/Operation"
import type { RepositoryName } from "./call/Call.ts"
import type { Tool } from "./call/Tool.ts"
import * as Change from "./tools/Change.ts"
import * as Commit from "./tools/Commit.ts"
import * as FindOperation from "./tools/FindOperation.ts"
import * as OperationTool from "./tools/OperationTool.ts"
import * as RunOperation from "./tools/RunOperation.ts"
import * as Compare from "./tools/Compare.ts"
import * as Limits from "./tools/Limits.ts"
import * as ListArtifacts from "./tools/ListArtifacts.ts"
import * as ListCommits from "./tools/ListCommits.ts"
import * as ListComments from "./tools/ListComments.ts"
import * as ListDeliveries from "./tools/ListDeliveries.ts"
import * as ListFiles from "./tools/ListFiles.ts"
import * as ListRefs from "./tools/ListRefs.ts"
import * as ListRepositories from "./tools/ListRepositories.ts"
import * as ReadCommit from "./tools/ReadCommit.ts"
import * as ReadFile from "./tools/ReadFile.ts"
import * as SearchCode from "./tools/SearchCode.ts"
import * as Symbols from "./tools/Symbols.ts"
import type * as Guard from "./writes/Guard.ts"

/** Converts the name of a group to the spelling in tool names: `gitRefs` and `git-refs` become `git_refs`. */
const normalize = (name: string) => Operation.toSnakeCase(name).toLowerCase()

/** Returns the names of the toolsets, which are the groups of the contract, for example `git-refs`. */
export const toolsets = (): ReadonlyArray<string> => [
  ...new Set(Catalog.groups.map((group) => normalize(group).replaceAll("_", "-")))
]

/** Returns true if a toolset has this name, in any spelling: `git-refs`, `git_refs` or `gitRefs`. */
export const hasToolset = (name: string): boolean => toolsets().includes(normalize(name).replaceAll("_", "-"))

/** The tools to offer, and how to treat calls that cannot be undone. */
export interface Selection extends Guard.Options {
  /** Groups of the contract whose operations are offered, one tool each, instead of the usual tools. */
  readonly toolsets?: ReadonlyArray<string>
}

/** Creates the tools that the server offers without `toolsets`, in this order. */
const usual: ReadonlyArray<(selection: Pick<Selection, "allowWrites">) => Tool> = [
  // for finding and reading files
  SearchCode.make,
  ReadFile.make,
  Symbols.make,
  ListFiles.make,
  // for history
  ListCommits.make,
  ReadCommit.make,
  Compare.make,
  ListRefs.make,
  ListRepositories.make,
  // for collaboration
  ListComments.make,
  ListDeliveries.make,
  ListArtifacts.make,
  Limits.make,
  // for everything else
  ({ allowWrites }) => FindOperation.make(allowWrites),
  ({ allowWrites }) => RunOperation.make(allowWrites)
]

/** Creates the tools that change data. */
const writing: ReadonlyArray<() => Tool> = [Commit.make, Change.make]

/** Returns the tools of a selection. */
export const select = (
  { allowWrites, toolsets }: Selection,
  defaultRepository: RepositoryName | undefined
): ReadonlyArray<Tool> => {
  if (toolsets === undefined) {
    return [...usual.map((make) => make({ allowWrites })), ...(allowWrites ? writing.map((make) => make()) : [])]
  }
  const groups = toolsets.map(normalize)
  return Catalog.allEntries()
    .filter((entry) => (entry.readonly || allowWrites) && groups.includes(normalize(entry.group)))
    .map((entry) => OperationTool.make(entry, defaultRepository))
}
