/** Creates the resources of a list of repositories, including the fields that come from git data. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Repository } from "@tongs/core/contract/Repository"
import * as CacheDependencies from "../git/CacheDependencies.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { Role } from "../access/Roles.ts"
import type { Urls } from "./Urls.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import * as GitFacts from "./GitFacts.ts"
import * as Shapes from "./Shapes.ts"

/** Number of repositories that are read concurrently. */
const concurrency = 8

/** Reads the repositories of a list and omits unreadable ones. `roleOf` returns the caller's role on a repository. */
export const readSummaries = (
  all: ReadonlyArray<ServedRepository>,
  roleOf: (row: RepositoryRow) => Effect.Effect<Role>,
  urls: Urls
): Effect.Effect<ReadonlyArray<Repository>> =>
  Effect.forEach(
    all,
    Effect.fnUntraced(function* (one) {
      return Shapes.repository(one, yield* GitFacts.read(one), yield* roleOf(one.row), urls)
    }, CacheDependencies.optional),
    { concurrency }
  ).pipe(Effect.map((described) => described.flatMap(Option.toArray)))
