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
import { flush } from "../../base/Flush.ts"
import { readLine } from "../files/Files.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import { invalidOid, isOid } from "../values/Oid.ts"
import type { Refs } from "./Refs.ts"

const kinds = ["head", "merge"] as const

/** The head of a pull request, or the head merged into the base. */
export type Kind = (typeof kinds)[number]

/** Reads and writes the references of pull requests. Writes are durable, and need no expected value. */
export interface PullRefs {
  readonly get: (number: number, kind: Kind) => Effect.Effect<string | undefined, GitError>
  /** Sets a reference, or removes it if `oid` is undefined. */
  readonly set: (number: number, kind: Kind, oid: string | undefined) => Effect.Effect<void, GitError>
  /** Removes both references, if they exist. */
  readonly remove: (number: number) => Effect.Effect<void, GitError>
}

/** Folder of the references of pull requests. Only the forge may change references below it. */
export const PREFIX = "refs/pull/"

/** Full name of a reference. */
const nameOf = (number: number, kind: Kind) => `${PREFIX}${number}/${kind}`

const check = (number: number, oid: string | undefined): GitError | undefined => {
  if (!Number.isSafeInteger(number) || number < 1) {
    return gitError({ _tag: "InvalidName", name: `${PREFIX}${number}`, detail: "the number must be at least 1" })
  }
  return oid === undefined || (isOid(oid) && !/^0+$/.test(oid)) ? undefined : invalidOid(oid)
}

/** References in the repository itself. `run` runs commands of `git update-ref --stdin -z` in one transaction. */
export const inRepository = (refs: Refs, run: (commands: string) => Effect.Effect<void, GitError>): PullRefs => {
  const removals = Effect.fnUntraced(function* (number: number, removed: ReadonlyArray<Kind>) {
    const names = removed.map((kind) => nameOf(number, kind))
    const found = yield* Effect.forEach(names, refs.get)
    const commands = found.flatMap((ref) => (ref === undefined ? [] : [`option no-deref\0delete ${ref.name}\0\0`]))
    if (commands.length > 0) yield* run(commands.join(""))
  })
  return {
    get: (number, kind) => Effect.map(refs.get(nameOf(number, kind)), (ref) => ref?.oid),
    set: Effect.fn("PullRefs.set")(function* (number: number, kind: Kind, oid: string | undefined) {
      const problem = check(number, oid)
      if (problem !== undefined) return yield* problem
      if (oid === undefined) yield* removals(number, [kind])
      else yield* run(`option no-deref\0update ${nameOf(number, kind)}\0${oid}\0\0`)
    }),
    remove: Effect.fn("PullRefs.remove")((number: number) => removals(number, kinds))
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
    get: (number, kind) =>
      Effect.sync(() => {
        const oid = readLine(join(folder, String(number), kind))
        return oid !== undefined && isOid(oid) ? oid : undefined
      }),
    set: Effect.fn("PullRefs.set")(function* (number: number, kind: Kind, oid: string | undefined) {
      const problem = check(number, oid)
      if (problem !== undefined) return yield* problem
      yield* Effect.uninterruptible(
        tryFiles(async () => {
          const own = join(folder, String(number))
          await mkdir(own, { recursive: true, mode: 0o700 })
          if (oid === undefined) await rm(join(own, kind), { force: true })
          else await replace(own, kind, oid)
          await flush(own)
          await flush(folder)
        })
      )
    }),
    remove: Effect.fn("PullRefs.remove")((number: number) =>
      Effect.uninterruptible(tryFiles(() => rm(join(folder, String(number)), { recursive: true, force: true })))
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
