/** Creates the resources of a list of repositories, including the fields that come from git data. */
import * as Effect from "effect/Effect"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import type { Role } from "../access/Roles.ts"
import type { KeyedItem } from "../base/Paging.ts"
import { revisionOf } from "../base/ObjectRevisions.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import * as CacheDependencies from "../git/values/CacheDependencies.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import * as GitFacts from "./GitFacts.ts"
import * as Shapes from "./Shapes.ts"
import type { Urls } from "./Urls.ts"

/** Number of repositories that are read concurrently. */
const CONCURRENCY = 8

/** Reads the repositories of a list and omits unreadable ones. `roleOf` returns the caller's role on a repository. */
export const readSummaries = (
  all: ReadonlyArray<ServedRepository>,
  roleOf: (row: RepositoryRow) => Effect.Effect<Role>,
  urls: Urls
): Effect.Effect<ReadonlyArray<KeyedItem<Repository>>> =>
  Effect.flatMap(CacheDependencies.CacheDependencies, (sources) => {
    const summaryOf = (one: ServedRepository) => {
      const role = roleOf(one.row)
      const facts = GitFacts.known(one, sources)
      return facts === undefined
        ? Effect.zipWith(GitFacts.read(one), role, (facts, role) => summary(one, facts, role, urls))
        : ReadyEffects.map(role, (role) => summary(one, facts, role, urls))
    }
    const described = ReadyEffects.forEach(all, (one) => CacheDependencies.optional(summaryOf(one)), {
      concurrency: CONCURRENCY
    })
    return Effect.map(described, (items) => items.filter((item) => item !== undefined))
  })

const summary = (one: ServedRepository, facts: GitFacts.TipFacts, role: Role, urls: Urls): KeyedItem<Repository> => ({
  key:
    facts.tip === undefined
      ? undefined
      : `${one.row.id} ${revisionOf(one.row)} ${role} ${facts.tip} ${facts.defaultBranch}`,
  make: () => Shapes.repository(one, facts, role, urls)
})
