/**
 * The references of pull requests: `refs/pull/N/head` and `refs/pull/N/merge`.
 *
 * In a repository of the forge they are references like others. The folder of somebody's own repository stays unchanged:
 * its references of pull requests are files in a folder of the forge, which only clones and fetches see.
 */
import { randomUUID } from "node:crypto"
import { mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { entries, flush, readLine } from "../files/Files.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import { invalidOid, isOid } from "../values/Oid.ts"
import type { Refs } from "./Refs.ts"

/** The commits of a pull request: its head, and the head merged into the base. */
export interface PullCommits {
  readonly head: string
  /** Undefined for a pull request that cannot be merged. */
  readonly merge?: string | undefined
}

/** The references of one pull request. */
export interface PullRef extends PullCommits {
  readonly number: number
}

/** Reads and writes the references of pull requests. Writes are durable, and need no expected value. */
export interface PullRefs {
  /** Sets both references. Without `merge`, removes that reference. */
  readonly set: (number: number, commits: PullCommits) => Effect.Effect<void, GitError>
  /** Removes both references, if they exist. */
  readonly remove: (number: number) => Effect.Effect<void, GitError>
  /** The references, sorted by number. */
  readonly list: Effect.Effect<ReadonlyArray<PullRef>, GitError>
}

/** Folder of the references of pull requests. Only the forge may change references below it. */
export const PREFIX = "refs/pull/"

const kinds = ["head", "merge"] as const

/** Full name of a reference. */
const nameOf = (number: number, kind: (typeof kinds)[number]) => `${PREFIX}${number}/${kind}`

const check = (number: number, commits: PullCommits): GitError | undefined => {
  if (!Number.isSafeInteger(number) || number < 1) {
    return gitError({ _tag: "InvalidName", name: `${PREFIX}${number}`, detail: "the number must be at least 1" })
  }
  const wrong = [commits.head, commits.merge].find((oid) => oid !== undefined && (!isOid(oid) || /^0+$/.test(oid)))
  return wrong === undefined ? undefined : invalidOid(wrong)
}

/** References in the repository itself. `run` runs commands of `git update-ref --stdin -z` in one transaction. */
export const inRepository = (refs: Refs, run: (commands: string) => Effect.Effect<void, GitError>): PullRefs => {
  const removals = Effect.fnUntraced(function* (number: number, removed: ReadonlyArray<(typeof kinds)[number]>) {
    const names = removed.map((kind) => nameOf(number, kind))
    const found = yield* Effect.forEach(names, refs.get)
    return found.flatMap((ref) => (ref === undefined ? [] : [`option no-deref\0delete ${ref.name}\0\0`]))
  })
  return {
    set: Effect.fn("PullRefs.set")(function* (number: number, commits: PullCommits) {
      const problem = check(number, commits)
      if (problem !== undefined) return yield* problem
      const updates = kinds.flatMap((kind) =>
        commits[kind] === undefined ? [] : [`option no-deref\0update ${nameOf(number, kind)}\0${commits[kind]}\0\0`]
      )
      const removed = commits.merge === undefined ? yield* removals(number, ["merge"]) : []
      yield* run([...updates, ...removed].join(""))
    }),
    remove: Effect.fn("PullRefs.remove")(function* (number: number) {
      const commands = yield* removals(number, kinds)
      if (commands.length > 0) yield* run(commands.join(""))
    }),
    list: Effect.map(refs.list(PREFIX), (all) => collect(all.map(({ name, oid }) => [name.slice(PREFIX.length), oid])))
  }
}

/** References as files in `folder`, which has the form of git's folder `refs/pull`. */
export const inFolder = (folder: string): PullRefs => {
  const tryFiles = (run: () => Promise<void>) =>
    Effect.tryPromise({
      try: run,
      catch: (cause) => gitError({ _tag: "NotWritable", path: folder, detail: String(cause) })
    })
  return {
    set: Effect.fn("PullRefs.set")(function* (number: number, commits: PullCommits) {
      const problem = check(number, commits)
      if (problem !== undefined) return yield* problem
      yield* Effect.uninterruptible(
        tryFiles(async () => {
          const own = join(folder, String(number))
          await mkdir(own, { recursive: true, mode: 0o700 })
          for (const kind of kinds) {
            const oid = commits[kind]
            if (oid === undefined) await rm(join(own, kind), { force: true })
            else await replace(own, kind, oid)
          }
          await flush(own)
          await flush(folder)
        })
      )
    }),
    remove: Effect.fn("PullRefs.remove")((number: number) =>
      Effect.uninterruptible(tryFiles(() => rm(join(folder, String(number)), { recursive: true, force: true })))
    ),
    list: Effect.sync(() =>
      collect(
        entries(folder).flatMap(({ name }) =>
          kinds.flatMap((kind): ReadonlyArray<readonly [string, string]> => {
            const oid = readLine(join(folder, name, kind))
            return oid !== undefined && isOid(oid) ? [[`${name}/${kind}`, oid]] : []
          })
        )
      )
    )
  }
}

/** Replaces a file atomically. Git ignores files whose names begin with a dot. */
const replace = async (folder: string, name: string, oid: string) => {
  const temporary = join(folder, `.new-${randomUUID()}`)
  try {
    const file = await open(temporary, "wx", 0o600)
    try {
      await file.writeFile(`${oid}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(folder, name))
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Joins `["1/head", id]` and `["1/merge", id]`. Omits other names, and numbers without a head. */
const collect = (all: ReadonlyArray<readonly [name: string, oid: string]>): ReadonlyArray<PullRef> => {
  const oids = new Map(all)
  return all
    .flatMap(([name, head]) => {
      const number = Number(/^([1-9]\d{0,14})\/head$/.exec(name)?.[1])
      if (Number.isNaN(number)) return []
      const merge = oids.get(`${number}/merge`)
      return [{ number, head, ...(merge === undefined ? {} : { merge }) }]
    })
    .toSorted((a, b) => a.number - b.number)
}
