/** The repositories that `tongs search` covers on the embedded forge, if neither a flag nor the query names any. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryPrinter from "@tongs/core/query/CodeQueryPrinter"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"

/** A query with the repositories that it covers, as a sentence. */
export interface Covered {
  readonly q: string
  readonly sentence: string | undefined
}

/** Names the clones of the working directory as the repositories to serve, if it contains some and is in none. */
export const withClones = Effect.fnUntraced(function* (settings: ConnectionSettings) {
  const isNamed = (settings.repos ?? []).length > 0 || settings.demo !== undefined || settings.fixtures !== undefined
  if (isNamed || settings.url !== undefined || settings.adopts === false) return settings
  const { locateEnclosing } = yield* Effect.promise(() => import("@tongs/service/git/RepositoryLocation"))
  if (locateEnclosing(settings.cwd) !== undefined) return settings
  const { discover } = yield* Effect.promise(() => import("@tongs/service/git/Adoption"))
  const { found } = yield* discover(settings.cwd)
  return found.length === 0 ? settings : { ...settings, repos: [settings.cwd] }
})

/** Restricts a query to the repository of the working directory, unless the query names repositories. */
export const cover = Effect.fnUntraced(function* (text: string, query: CodeQuery.CodeQuery, given: ConnectionSettings) {
  const { isOutsideRepository, repository, workTrees } = yield* Connection
  const isNamed = (given.repos ?? []).length > 0 || given.demo !== undefined || given.fixtures !== undefined
  if (isNamed || namesRepositories(query.expression)) return { q: text, sentence: undefined } satisfies Covered
  if (repository !== undefined && isOutsideRepository !== true) {
    const name = `${repository.owner}/${repository.repo}`
    const q = CodeQueryPrinter.print(CodeQuery.within(query, name))
    const sentence = `Searching ${Terminal.escape(name)}. --all searches every repository of the forge.`
    return { q, sentence } satisfies Covered
  }
  const clones = NumberFormat.quantity(workTrees?.size ?? 0, "repository", "repositories")
  const sentence =
    (workTrees?.size ?? 0) === 0
      ? "Searching every repository of the forge, because the working directory is in no repository."
      : `Searching ${clones} of this folder, and those that the forge hosts.`
  return { q: text, sentence } satisfies Covered
})

const namesRepositories = (self: CodeQuery.Expression): boolean => {
  switch (self._tag) {
    case "And":
      return self.all.some(namesRepositories)
    case "Or":
      return self.any.some(namesRepositories)
    case "Not":
      return namesRepositories(self.not)
    case "Filter":
      return self.filter.name === "repo" || self.filter.name === "user" || self.filter.name === "org"
    default:
      return false
  }
}
