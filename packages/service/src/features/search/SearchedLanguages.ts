/** Finds the repositories of the languages in a query. */
import * as Effect from "effect/Effect"
import type * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import * as ItemQuery from "@tongs/core/query/items/ItemQuery"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import type { Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import * as Languages from "../../git/values/Languages.ts"
import * as IssueConditions from "../../issues/IssueConditions.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as RepositoryFacts from "./RepositoryFacts.ts"

/** Returns the values of `language:` in a condition. */
export const named = (
  condition: ItemQuery.Condition<{ readonly name: string } | { readonly name: "language"; readonly value: string }>
): ReadonlyArray<string> =>
  ItemQuery.filters(condition).flatMap(({ filter }) =>
    filter.name === "language" && "value" in filter ? [filter.value] : []
  )

/** Creates the functions that find repositories. `isIncomplete` is true if the time was not enough. */
export const make = Effect.gen(function* () {
  const readFacts = yield* RepositoryFacts.make
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles

  /** Returns the repositories among `rows` by language. */
  const among = Effect.fnUntraced(function* (rows: ReadonlyArray<RepositoryRow>, languages: ReadonlyArray<string>) {
    const { facts, isIncomplete } = yield* readFacts(languages.length === 0 ? [] : rows, false)
    const byLanguage = new Map(
      languages.map((language) => [
        language,
        rows.filter(({ id }) => Languages.isNamed(facts.get(id)?.language, language))
      ])
    )
    return { byLanguage, isIncomplete }
  })

  /** Returns the ids of the repositories whose issues a query can find, by language. */
  const ofIssues = Effect.fnUntraced(function* (caller: Caller, { condition }: IssueQuery.IssueQuery) {
    const languages = named(condition)
    if (languages.length === 0) return { languages: new Map<string, ReadonlyArray<number>>(), isIncomplete: false }
    const readable = yield* roles.readable(caller, yield* registry.list, readsIssues.permission.flat())
    const viewer = caller.kind === "anonymous" ? undefined : caller.user.login
    const { repositories } = IssueConditions.narrow(condition, readable, viewer)
    const { byLanguage, isIncomplete } = yield* among(repositories, languages)
    const ids = [...byLanguage].map(([language, rows]) => [language, rows.map(({ id }) => id)] as const) // a pair
    return { languages: new Map(ids), isIncomplete }
  })

  return { among, ofIssues }
})
