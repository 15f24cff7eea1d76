/** The definitions that a name at a position can have. */
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import type { Identifier } from "../editor/EditorHandle.ts"
import type * as Route from "../model/Route.ts"

/** Milliseconds before a response of the index is stale. */
export const STALE_TIME = 10_000

/** The maximum of the contract. */
const MAX_DEFINITIONS = 50

/** The request for the definitions of an identifier in a file. */
export const queryOptions = (
  { commit, owner, path, repo }: ExplorerApi.PinnedPath,
  { column, line, text }: Pick<Identifier, "text" | "line" | "column">
) => ({
  staleTime: STALE_TIME,
  ...ExplorerClient.queryOptions(ExplorerClient.definitions, {
    owner,
    repo,
    name: text,
    path,
    ref: commit,
    line,
    column,
    per_page: MAX_DEFINITIONS
  })
})

/** The definition to go to without a choice: the only one, or the only one that scope or imports lead to. */
export const target = (definitions: ReadonlyArray<Definition>): Definition | undefined => {
  const certain = definitions.filter(({ certain }) => certain === true)
  const candidates = certain.length > 0 ? certain : definitions
  return candidates.length === 1 ? candidates[0] : undefined
}

/** True if only the name leads to the first definition, and the name has further definitions. */
export const isGuess = (first: Definition | undefined, others: ReadonlyArray<Definition>): boolean =>
  first?.certain !== true && others.length > 0

/** True if the identifier is the name in the definition. */
export const isAt = (
  definition: Definition,
  file: ExplorerApi.PinnedPath,
  { column, line }: Pick<Identifier, "line" | "column">
): boolean =>
  isInRepository(definition, file) &&
  definition.path === file.path &&
  definition.line === line &&
  (definition.column === undefined || definition.column === column)

/** Definitions by distance from a file. */
export interface DefinitionGroup {
  readonly title: "This file" | "This repository" | "Other repositories"
  readonly definitions: ReadonlyArray<Definition>
}

/** Groups definitions by distance from a file, nearest first. Keeps the given order in a group. */
export const grouped = (
  definitions: ReadonlyArray<Definition>,
  file: ExplorerApi.PinnedPath
): ReadonlyArray<DefinitionGroup> => {
  const groups = Map.groupBy(definitions, (definition): DefinitionGroup["title"] =>
    !isInRepository(definition, file)
      ? "Other repositories"
      : definition.path === file.path
        ? "This file"
        : "This repository"
  )
  return titles.flatMap((title) => {
    const definitions = groups.get(title)
    return definitions === undefined ? [] : [{ title, definitions }]
  })
}

const titles = ["This file", "This repository", "Other repositories"] as const // the titles must stay literals

/** A key that no other definition of a name has. */
export const key = ({ column, line, owner, path, repo }: Definition): string =>
  `${owner}/${repo}/${path}:${line}:${column}`

/** True if both are of one repository. */
export const isInRepository = (a: ExplorerApi.RepositoryName, b: ExplorerApi.RepositoryName): boolean =>
  a.owner === b.owner && a.repo === b.repo

/** A line of a file in the index. */
export interface Location extends ExplorerApi.RepositoryName {
  readonly path: string
  readonly commit: string
  readonly line: number
}

/**
 * The route of a line: on the current branch if the branch is at the same commit, otherwise at the commit of the line.
 * In the same repository, the panels stay open.
 */
export const locationRoute = (
  { commit, line, owner, path, repo }: Location,
  file: ExplorerApi.PinnedPath,
  { ref, side, uses }: Pick<Route.File, "ref" | "side" | "uses">
): Route.File => {
  const isHere = isInRepository({ owner, repo }, file)
  const targetRef = isHere && commit === file.commit ? ref : commit
  return {
    _tag: "File",
    owner,
    repo,
    path,
    ...(targetRef === undefined ? {} : { ref: targetRef }),
    ...(isHere ? { side, uses } : {}),
    lines: { first: line, last: line }
  }
}
