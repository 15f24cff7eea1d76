/** The repositories that `tongs search` covers on the embedded forge, if neither a flag nor the query names any. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryPrinter from "@tongs/core/query/CodeQueryPrinter"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"

/** A query, and a sentence with the covered repositories. */
export interface Covered {
  readonly q: string
  readonly sentence: string | undefined
}

/**
 * Returns the number of clones in the working directory; 0 inside a repository, or if the command names repositories.
 */
export const countClones = Effect.fnUntraced(function* (settings: ConnectionSettings) {
  if (isNamed(settings) || settings.url !== undefined || settings.adopts === false) return 0
  const { locateEnclosing } = yield* Effect.promise(() => import("@tongs/service/git/values/RepositoryLocation"))
  if (locateEnclosing(settings.cwd) !== undefined) return 0
  const { discover } = yield* Effect.promise(() => import("@tongs/service/git/Adoption"))
  return (yield* discover(settings.cwd)).found.length
})

/** Returns whether the settings name the repositories to serve. */
const isNamed = ({ demo, fixtures, repos = [] }: ConnectionSettings): boolean =>
  repos.length > 0 || demo !== undefined || fixtures !== undefined

/** Restricts a query to the repository of the working directory, unless the query names repositories. */
export const cover = Effect.fnUntraced(function* (
  text: string,
  query: CodeQuery.CodeQuery,
  settings: ConnectionSettings,
  clones: number
) {
  const { isOutsideRepository, repository } = yield* Connection
  if (isNamed(settings) || namesRepositories(query.expression)) {
    return { q: text, sentence: undefined } satisfies Covered
  }
  if (clones === 0 && repository !== undefined && isOutsideRepository !== true) {
    const name = `${repository.owner}/${repository.repo}`
    const q = CodeQueryPrinter.print(CodeQuery.within(query, name))
    const sentence = `Searching ${Terminal.escape(name)}. --all searches every repository of the forge.`
    return { q, sentence } satisfies Covered
  }
  const sentence =
    clones === 0
      ? "Searching every repository of the forge, because the working directory is in no repository."
      : `Searching ${NumberFormat.quantity(clones, "repository", "repositories")} of this folder, and those that the forge hosts.`
  return { q: text, sentence } satisfies Covered
})

/** Returns whether every match is in a repository or account that the query names. */
const namesRepositories = (self: CodeQuery.Expression): boolean => {
  switch (self._tag) {
    case "And":
      return self.all.some(namesRepositories)
    case "Or":
      return self.any.every(namesRepositories)
    case "Filter":
      return self.filter.name === "repo" || self.filter.name === "user" || self.filter.name === "org"
    default:
      return false
  }
}
