/** Replaces regular expressions in `repo:` by the matching names, so that filters take bounded time. */
import * as Effect from "effect/Effect"
import type * as CodeQuery from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"

/** Returns the indexes of the names that an expression matches, ignoring case. */
export type MatchNames<E> = (source: string, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<number>, E>

/** Returns the query with each expression in `repo:` replaced by the full names of the matching repositories. */
export const resolve = Effect.fn("RepositoryExpressions.resolve")(function* <E>(
  query: CodeQuery.CodeQuery,
  repositories: ReadonlyArray<ServedRepository>,
  match: MatchNames<E>
) {
  const replace = (self: CodeQuery.Expression): Effect.Effect<CodeQuery.Expression, E> => {
    switch (self._tag) {
      case "And":
        return Effect.map(Effect.forEach(self.all, replace), (all) => ({ ...self, all }))
      case "Or":
        return Effect.map(Effect.forEach(self.any, replace), (any) => ({ ...self, any }))
      case "Not":
        return Effect.map(replace(self.not), (not) => ({ ...self, not }))
      case "Filter": {
        const { filter, span } = self
        if (filter.name !== "repo" || filter.match !== "regex") return Effect.succeed(self)
        const names = repositories.map(({ fullName }) => fullName)
        return Effect.map(match(filter.value, names), (found): CodeQuery.Expression => ({
          _tag: "Or",
          any: found.map((at) => ({ _tag: "Filter", filter: { name: "repo", value: names[at] ?? "" }, span })),
          span
        }))
      }
      default:
        return Effect.succeed(self)
    }
  }
  return { ...query, expression: yield* replace(query.expression) }
})
