/** Git's answers about one work tree, valid while the index and the settings do not change. */
import { homedir } from "node:os"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileStat from "../files/FileStat.ts"
import type { RepositoryLocation } from "../values/RepositoryLocation.ts"
import type { Difference, UncheckedName } from "./WorkTreeOutput.ts"

/** Settings that apply in a work tree. */
export interface WorkTreeSettings {
  /** Options of git commands, each `name=value`. */
  readonly settings: ReadonlyArray<string>
  /** False if git ignores the executable bit of files on disk. */
  readonly hasModes: boolean
}

/** The part of a difference that depends only on the index. */
export interface IndexReading {
  readonly staged: ReadonlyArray<Difference>
  readonly unchecked: ReadonlyArray<UncheckedName>
}

type Remember<A> = <E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export interface WorkTreeCache {
  /** Returns the settings, and reads changed configuration files of the repository or the user again. */
  readonly settings: (location: RepositoryLocation) => Remember<WorkTreeSettings>
  /**
   * Returns the difference between a commit and the index at a path. Reads the index again after a change of either.
   */
  readonly index: <E, R>(
    path: string,
    commit: string,
    read: Effect.Effect<IndexReading, E, R>
  ) => Effect.Effect<IndexReading, E, R>
}

/** Milliseconds for which settings are cached, because settings can also come from unchecked files. */
const SETTINGS_MILLIS = 5_000

/** Remembers the last value until a file changes. A recently changed file may change again without a new time. */
const remembering = <A>(maxAge: number) => {
  let last: { readonly key: string; readonly stats: Stats; readonly until: number; readonly value: A } | undefined
  return <E, R>(key: string, paths: ReadonlyArray<string>, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const time = FileStat.now()
      const now = yield* Clock.currentTimeMillis
      const stats = paths.map(FileStat.stat)
      if (last?.key === key && now < last.until && stats.every((one, at) => FileStat.isSame(one, last?.stats[at])))
        return last.value
      const value = yield* read
      const isSettled = stats.every((one) => FileStat.isSettled(one, time))
      last = isSettled ? { key, stats, until: now + maxAge, value } : undefined
      return value
    })
}

type Stats = ReadonlyArray<ReturnType<typeof FileStat.stat>>

/** Creates an empty cache. */
export const make = (): WorkTreeCache => {
  const settings = remembering<WorkTreeSettings>(SETTINGS_MILLIS)
  const index = remembering<IndexReading>(Number.POSITIVE_INFINITY)
  return {
    settings: ({ commonDir, gitDir }) => {
      const own = [join(commonDir, "config"), join(gitDir, "config.worktree")]
      return (read) => settings(gitDir, [...own, join(homedir(), ".gitconfig")], read)
    },
    index: (path, commit, read) => index(commit, [path], read)
  }
}
