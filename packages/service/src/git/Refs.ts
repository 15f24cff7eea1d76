import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { CatFile } from "./CatFile.ts"
import { linkTarget, readLine } from "./Files.ts"
import type { Git } from "./Git.ts"
import { type GitError, gitError } from "./GitError.ts"
import { type ObjectType, toObjectType } from "./GitObject.ts"
import type { RepositoryLocation } from "./RepositoryLocation.ts"
import * as RefFiles from "./RefFiles.ts"
import * as CacheDependencies from "./CacheDependencies.ts"
import * as EventLoopTick from "../base/EventLoopTick.ts"

/** A reference with the id and type of its object. */
export interface Ref {
  readonly name: string
  readonly oid: string
  readonly type: ObjectType
  /** Id of the object that an annotated tag points to, directly or through other tags. */
  readonly peeled?: string
}

/** The default branch. `ref` is `undefined` before its first commit. */
export interface Tip {
  readonly branch: string
  readonly ref: Ref | undefined
}

/**
 * The references of one repository.
 *
 * **Details**
 *
 * One `git for-each-ref` fills a snapshot, which is valid while the files that git reads are unchanged: `HEAD`,
 * `packed-refs`, and every folder under `refs/` (git replaces reference files, which changes their folder), as well as
 * the reference files if there are few. As in git's index, a snapshot is not reused if a file changed so recently that
 * another change may not alter its time. A pipe among these files is rejected first, because git would block on it.
 */
export interface Refs {
  /** All references, sorted by name in byte order. */
  readonly all: Effect.Effect<ReadonlyArray<Ref>, GitError>
  /** The reference with this full name. Fails with `ObjectMissing` if git cannot read its object; lists omit it. */
  readonly get: (name: string) => Effect.Effect<Ref | undefined, GitError>
  /** The branch that HEAD names, without `refs/heads/`. It may not exist yet. */
  readonly head: Effect.Effect<string, GitError>
  /** The default branch with its reference. */
  readonly tip: Effect.Effect<Tip, GitError>
  /** Discards the snapshot. */
  readonly invalidate: Effect.Effect<void>
}

interface RefListing {
  readonly refs: ReadonlyArray<Ref>
  /** Object ids that git cannot read, by the name of the reference. */
  readonly unreadable: ReadonlyMap<string, string>
}

interface Snapshot extends CacheDependencies.CacheDependency {
  /** Sequence number of the read. */
  readonly number: number
  readonly refs: ReadonlyArray<Ref>
  readonly byName: ReadonlyMap<string, Ref>
  readonly unreadable: RefListing["unreadable"]
  readonly head: string
}

/** Reads the references of the repository at `location`, with git running in the isolated git directory. */
export const make = (
  git: Git["Service"],
  catFile: CatFile["Service"],
  location: RepositoryLocation,
  isolated: string
): Refs => {
  const { commonDir, gitDir } = location
  const rebuildLock = Semaphore.makeUnsafe(1)
  let current: Snapshot | undefined
  let lastNumber = 0

  const rebuild = Effect.gen(function* () {
    const number = ++lastNumber
    // Scanned before git reads the files, to detect a change during the read.
    const files = RefFiles.scan(location)
    if (files.irregular !== undefined) return yield* irregular(location.path, files.irregular)
    const unchanged = EventLoopTick.oncePerTick(files.isUnchanged)
    const { refs, unreadable } = yield* listRefs(git, catFile, isolated)
    const byName = new Map(refs.map((ref) => [ref.name, ref]))
    const isCurrent = (tick?: EventLoopTick.EventLoopTick) => current === next && unchanged(tick)
    const next: Snapshot = { number, refs, byName, unreadable, head: headOf(refs, byName), isCurrent }
    current = next
    return next
  })

  const headOf = (refs: Snapshot["refs"], byName: Snapshot["byName"]): string => {
    // For a detached HEAD: the branch of the main work tree, else a common name, else the first branch.
    const named = symbolicHead(gitDir) ?? symbolicHead(commonDir)
    if (named !== undefined) return named
    const common = ["main", "master"].find((name) => byName.has(heads + name))
    return common ?? refs.find(({ name }) => name.startsWith(heads))?.name.slice(heads.length) ?? "main"
  }

  const snapshot = Effect.suspend(() => {
    if (current?.isCurrent() === true) return Effect.succeed(current)
    const numberBefore = lastNumber
    return rebuildLock.withPermit(
      // Concurrent callers share one read that started after they called.
      Effect.suspend(() => (current !== undefined && current.number > numberBefore ? Effect.succeed(current) : rebuild))
    )
  }).pipe(Effect.tap(CacheDependencies.add))

  return {
    all: Effect.map(snapshot, ({ refs }) => refs),
    get: (name) =>
      Effect.flatMap(snapshot, ({ byName, unreadable }) => {
        const oid = unreadable.get(name)
        return oid === undefined
          ? Effect.succeed(byName.get(name))
          : Effect.fail(gitError({ _tag: "ObjectMissing", oid }))
      }),
    head: Effect.map(snapshot, ({ head }) => head),
    tip: Effect.map(snapshot, ({ byName, head }) => ({ branch: head, ref: byName.get(heads + head) })),
    invalidate: Effect.sync(() => {
      current = undefined
    })
  }
}

const heads = "refs/heads/"

/** The branch that HEAD in `gitDir` names, without `refs/heads/`; `undefined` for a detached HEAD. */
export const symbolicHead = (gitDir: string): string | undefined => {
  const target = symbolicTarget(join(gitDir, "HEAD"))
  return target?.startsWith(heads) ? target.slice(heads.length) : undefined
}

/** The target of the symbolic reference in a file; `undefined` if the file is not one. */
export const symbolicTarget = (path: string): string | undefined =>
  linkTarget(path) ?? /^ref:\s*(.*)/.exec(readLine(path) ?? "")?.[1]

const irregular = (path: string, file: string): GitError =>
  gitError({ _tag: "Unreadable", path, detail: `${file} is not a regular file of a plausible size` })

const format = "--format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)"

const listRefs = Effect.fnUntraced(function* (git: Git["Service"], catFile: CatFile["Service"], gitDir: string) {
  const { exitCode, stdout } = yield* git.run(["for-each-ref", format], { gitDir, acceptedExitCodes: [128] })
  // With 128 git failed because of a reference to a missing object.
  if (exitCode === 128) return yield* listReadableRefs(git, catFile, gitDir)
  const refs: Array<Ref> = []
  for (const line of lines(stdout)) {
    const [name = "", oid = "", type, peeled = "", peeledType] = line.split("\0")
    const kind = toObjectType(type)
    if (kind === undefined) continue
    refs.push(
      peeled === ""
        ? { name, oid, type: kind }
        : // Git before 2.45 peels only one level.
          { name, oid, type: kind, peeled: peeledType === "tag" ? yield* peel(catFile, gitDir, peeled) : peeled }
    )
  }
  return { refs, unreadable: new Map() } satisfies RefListing
})

const listReadableRefs = Effect.fnUntraced(function* (
  git: Git["Service"],
  catFile: CatFile["Service"],
  gitDir: string
) {
  const { stdout } = yield* git.run(["for-each-ref", "--format=%(refname)%00%(objectname)"], { gitDir })
  const found = yield* Effect.forEach(
    lines(stdout),
    (line) => {
      const [name = "", oid = ""] = line.split("\0")
      return Effect.map(catFile.info(gitDir, oid), (info) => ({ name, oid, type: info?.type }))
    },
    { concurrency: 64 }
  )
  const refs: Array<Ref> = []
  const unreadable = new Map<string, string>()
  for (const { name, oid, type } of found) {
    if (type === undefined) unreadable.set(name, oid)
    else refs.push({ name, oid, type, ...(type === "tag" ? { peeled: yield* peel(catFile, gitDir, oid) } : {}) })
  }
  return { refs, unreadable } satisfies RefListing
})

/** Maximum depth of nested tags. */
const maxPeel = 16

/** Id of the object that a tag points to, directly or through other tags. */
const peel = Effect.fnUntraced(function* (catFile: CatFile["Service"], gitDir: string, tag: string) {
  let oid = tag
  for (let depth = 0; depth < maxPeel; depth++) {
    const object = yield* catFile.contents(gitDir, oid, maxTagBytes)
    const next = object?.type === "tag" ? /^object ([0-9a-f]+)$/m.exec(object.bytes.toString("latin1"))?.[1] : undefined
    if (next === undefined) break
    oid = next
  }
  return oid
})

const maxTagBytes = 1024 * 1024

const lines = (bytes: Buffer): ReadonlyArray<string> =>
  bytes
    .toString()
    .split("\n")
    .filter((line) => line !== "")
