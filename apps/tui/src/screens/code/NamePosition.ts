/** A name at a position in a file: the arguments of the screens of definitions and uses. */
import * as Effect from "effect/Effect"
import type { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type { Page } from "@tongs/core/paging/Page"
import * as Route from "../../content/Route.ts"
import type { LoadOptions } from "../../content/Source.ts"
import { text } from "../Screen.ts"
import * as FileView from "./FileView.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** A name in a file. */
export interface NamePosition extends RevisionArguments.Revision {
  readonly name: string
  readonly path: string
  /** Line number, from 1. */
  readonly line: number
  /** Start of the name in the line, in UTF-16 units from 0. */
  readonly column: number
}

/** Maximum number of definitions in a response. */
export const MAX_DEFINITIONS = 50

/** Returns the position in the arguments of a screen. A name without a file has no `path`. */
export const input = (values: Route.Arguments, at: RevisionArguments.Revision) => ({
  ...RevisionArguments.repository(at),
  ...RevisionArguments.atRef(at),
  name: text(values, "name"),
  ...(typeof values.path === "string" ? { path: values.path } : {}),
  ...(typeof values.line === "number" ? { line: values.line } : {}),
  ...(typeof values.column === "number" ? { column: values.column } : {})
})

/** Like `input`, with a new snapshot of the work tree if the screen shows the work tree. */
export const currentInput = (
  forge: Forge["Service"],
  values: Route.Arguments,
  options: LoadOptions
): Effect.Effect<ReturnType<typeof input>, Failure, Connection> =>
  Effect.map(FileView.of(forge, RevisionArguments.of(values), options), (view) => input(values, view.at))

/** Finds the definitions of a name in a text at `ref`, first those that scopes and imports lead to. */
export const findDefinitions = (
  forge: Forge["Service"],
  position: NamePosition,
  ref: string | undefined,
  options: LoadOptions
): Effect.Effect<Page<Definition>, Failure> =>
  forge.codeNavigation.listDefinitions(input({ ...position }, { ...position, ref }), {
    ...options,
    perPage: MAX_DEFINITIONS
  }).first

/** Counts the uses of a name in a text at `ref`. */
export const countUses = (
  forge: Forge["Service"],
  position: NamePosition,
  ref: string | undefined,
  options: LoadOptions
): Effect.Effect<Page<unknown>, Failure> =>
  forge.codeNavigation.listReferences(input({ ...position }, { ...position, ref }), { ...options, perPage: 1 }).first

/** Returns the route of the definitions of a name. */
export const definitions = ({ ref, ...rest }: NamePosition): Route.Route =>
  Route.make("codeNavigation.listDefinitions", { ...rest, ref })

/** Returns the route of the uses of a name. */
export const uses = ({ ref, ...rest }: NamePosition): Route.Route =>
  Route.make("codeNavigation.listReferences", { ...rest, ref })

/** A line that defines or uses a name. */
type Location = Pick<Definition, "owner" | "repo" | "path" | "line" | "column" | "commit">

/** Returns the route of a line: at the revision of the screen, or in another repository at the commit of the line. */
export const location = (
  { column, commit, line, owner, path, repo }: Location,
  at: RevisionArguments.Revision
): Route.Route =>
  RevisionArguments.content(isInRepository({ owner, repo }, at) ? at : { owner, repo, ref: commit }, path, {
    line,
    ...(column === undefined ? {} : { column })
  })

/** Returns the path and line of a location, and the repository if this is another one. */
export const label = ({ line, owner, path, repo }: Location, at: RevisionArguments.Repository): string =>
  `${isInRepository({ owner, repo }, at) ? "" : `${owner}/${repo} `}${path}:${line}`

const isInRepository = (a: RevisionArguments.Repository, b: RevisionArguments.Repository): boolean =>
  a.owner === b.owner && a.repo === b.repo

/** Returns the definition to go to without a choice: the only one, or the only certain one. */
export const target = (found: ReadonlyArray<Definition>): Definition | undefined => {
  const certain = found.filter(({ certain }) => certain === true)
  const candidates = certain.length > 0 ? certain : found
  return candidates.length === 1 ? candidates[0] : undefined
}

/** Returns true if the position is the name in the definition. */
export const isDefinedAt = (definition: Definition, position: NamePosition): boolean =>
  isInRepository(definition, position) &&
  definition.path === position.path &&
  definition.line === position.line &&
  (definition.column === undefined || definition.column === position.column)
