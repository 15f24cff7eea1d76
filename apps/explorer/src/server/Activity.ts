/** Commits per day over several repositories, and the latest commits. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type * as ExplorerApi from "../ExplorerApi.ts"
import { interactive } from "./RequestOptions.ts"

type Commit = ExplorerApi.Activity["latest"][number]

interface Counted {
  readonly days: ReadonlyArray<number>
  readonly latest: ReadonlyArray<Commit>
}

/**
 * Maximum number of repositories, and of concurrent reads. A read costs one request on a remote forge. The first read
 * shows whether the forge has the extension.
 */
const maxRepositories = { embedded: 12, remote: 3 }
const concurrency = { embedded: 4, remote: 1 }

/** Maximum number of commits counted per repository on a forge without the extension. */
const COMMITS = 100

/** Maximum number of latest commits over all repositories. */
const LATEST = 100

const MILLIS_PER_DAY = 24 * 60 * 60 * 1_000

/** Activity of the repositories `names` (`owner/repo`). Ignores invalid names and unreadable repositories. */
export const activity = Effect.fn("Activity.activity")(function* (names: ReadonlyArray<string>, days: number) {
  const { kind } = yield* Connection
  const repositories = names.flatMap(repositoryName).slice(0, maxRepositories[kind])
  const all = yield* Effect.forEach(
    repositories,
    (repository) => Effect.orElseSucceed(ofRepository(repository, days), (): Counted => ({ days: [], latest: [] })),
    { concurrency: concurrency[kind] }
  )
  return {
    days: Array.from({ length: days }, (_, day) => all.reduce((sum, one) => sum + (one.days[day] ?? 0), 0)),
    latest: all
      .flatMap(({ latest }) => latest)
      .sort((a, b) => moment(b) - moment(a))
      .slice(0, LATEST)
  } satisfies ExplorerApi.Activity
})

const ofRepository = (repository: ExplorerApi.RepositoryName, days: number) =>
  Effect.gen(function* () {
    const forge = yield* Forge
    const found = yield* forge.history.getActivity({ ...repository, days }, yield* interactive)
    return {
      days: found.days.map(({ commits }) => commits),
      latest: found.latest.map((commit): Commit => ({ ...commit, ...repository }))
    } satisfies Counted
  }).pipe(Effect.catchTag("Unsupported", () => fromCommits(repository, days)))

/** Derives the activity from the latest commits, for a forge without the extension. */
const fromCommits = Effect.fnUntraced(function* (repository: ExplorerApi.RepositoryName, days: number) {
  const forge = yield* Forge
  const { items } = yield* forge.commits.list(repository, { ...(yield* interactive), perPage: COMMITS }).first
  const latest = items.map(({ commit: { author, message }, sha }): Commit => ({
    ...repository,
    commit: sha,
    author: author?.name ?? null,
    date: author?.date ?? null,
    summary: message.split("\n", 1)[0] ?? ""
  }))
  return { days: countByDay(latest, yield* Clock.currentTimeMillis, days), latest } satisfies Counted
})

/** Number of commits of each of the last `days` days in UTC, oldest first. The last day is the day of `now`. */
export const countByDay = (
  commits: ReadonlyArray<Pick<Commit, "date">>,
  now: number,
  days: number
): ReadonlyArray<number> => {
  const counts = Array.from({ length: days }, () => 0)
  const today = Math.floor(now / MILLIS_PER_DAY)
  for (const { date } of commits) {
    if (date === null) continue
    // Counts a date in the future as today.
    const day = Math.min(days - 1, days - 1 - (today - Math.floor(Date.parse(date) / MILLIS_PER_DAY)))
    const count = counts[day]
    if (count !== undefined) counts[day] = count + 1
  }
  return counts
}

const moment = ({ date }: Commit): number => (date === null ? 0 : Date.parse(date))

const repositoryName = (name: string): ReadonlyArray<ExplorerApi.RepositoryName> => {
  const [owner = "", repo = "", ...more] = name.split("/")
  return owner === "" || repo === "" || more.length > 0 ? [] : [{ owner, repo }]
}
