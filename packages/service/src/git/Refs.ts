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

export interface Ref {
  readonly name: string
  readonly oid: string
  readonly type: ObjectType
  /** What an annotated tag points to in the end. */
  readonly peeled?: string
}

export interface Tip {
  readonly branch: string
  readonly ref: Ref | undefined
}

/**
 * The references of one repository.
 *
 * **Details**
 *
 * One `git for-each-ref` fills a snapshot. It is used again as long as the files that git reads are unchanged: `HEAD`,
 * `packed-refs`, and every folder under `refs/` (git replaces reference files, so a change shows in the folder), with
 * its files where they are few. A file that changed within the last moments could change again without showing it, so a snapshot of such files is not
 * trusted, as in git's own index. Git would wait for ever for a pipe among these files, so it is refused first.
 */
export interface Refs {
  /** All, by name in byte order. */
  readonly all: Effect.Effect<ReadonlyArray<Ref>, GitError>
  /** `ObjectMissing` of one that is in no list, as git cannot read what it points to. */
  readonly get: (name: string) => Effect.Effect<Ref | undefined, GitError>
  /** The branch that HEAD names, without `refs/heads/`, be it born or not. */
  readonly head: Effect.Effect<string, GitError>
  /** The same, with its reference, where it is born. */
  readonly tip: Effect.Effect<Tip, GitError>
  readonly invalidate: Effect.Effect<void>
}

interface RefListing {
  readonly refs: ReadonlyArray<Ref>
  /** What the references point to, by name, that git cannot read. */
  readonly unreadable: ReadonlyMap<string, string>
}

interface Snapshot extends CacheDependencies.CacheDependency {
  /** Counts the readings. */
  readonly number: number
  readonly refs: ReadonlyArray<Ref>
  readonly byName: ReadonlyMap<string, Ref>
  readonly unreadable: RefListing["unreadable"]
  readonly head: string
}

/** Reads the files of `location`, and runs git in the isolated git directory. */
export const make = (
  git: Git["Service"],
  catFile: CatFile["Service"],
  location: RepositoryLocation,
  isolated: string
): Refs => {
  const { commonDir, gitDir } = location
  const rebuilding = Semaphore.makeUnsafe(1)
  let current: Snapshot | undefined
  let begun = 0

  const rebuild = Effect.gen(function* () {
    const number = ++begun
    // Before git reads them, so that a later change shows as a difference.
    const files = RefFiles.scan(location)
    if (files.irregular !== undefined) return yield* irregular(location.path, files.irregular)
    const unchanged = EventLoopTick.oncePerTick(files.isUnchanged)
    const { refs, unreadable } = yield* listRefs(git, catFile, isolated)
    const byName = new Map(refs.map((ref) => [ref.name, ref]))
    const isCurrent = (tick?: EventLoopTick.EventLoopTick) => current === made && unchanged(tick)
    const made: Snapshot = { number, refs, byName, unreadable, head: headOf(refs, byName), isCurrent }
    current = made
    return made
  })

  const headOf = (refs: Snapshot["refs"], byName: Snapshot["byName"]): string => {
    // Detached: the branch of the main work tree, else the usual names, else any branch.
    const named = symbolicHead(gitDir) ?? symbolicHead(commonDir)
    if (named !== undefined) return named
    const usual = ["main", "master"].find((name) => byName.has(heads + name))
    return usual ?? refs.find(({ name }) => name.startsWith(heads))?.name.slice(heads.length) ?? "main"
  }

  const snapshot = Effect.suspend(() => {
    if (current?.isCurrent() === true) return Effect.succeed(current)
    const arrived = begun
    return rebuilding.withPermit(
      // Of all that wait, one asks git: what it began to read after they came is as new as they need.
      Effect.suspend(() => (current !== undefined && current.number > arrived ? Effect.succeed(current) : rebuild))
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

/** The branch that a work tree's HEAD names, without `refs/heads/`. */
export const symbolicHead = (gitDir: string): string | undefined => {
  const target = symbolicTarget(join(gitDir, "HEAD"))
  return target?.startsWith(heads) ? target.slice(heads.length) : undefined
}

/** What the symbolic reference in a file names. */
export const symbolicTarget = (path: string): string | undefined =>
  linkTarget(path) ?? /^ref:\s*(.*)/.exec(readLine(path) ?? "")?.[1]

const irregular = (path: string, file: string): GitError =>
  gitError({ _tag: "Unreadable", path, detail: `${file} is not a regular file of a plausible size` })

const format = "--format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)"

const listRefs = Effect.fnUntraced(function* (git: Git["Service"], catFile: CatFile["Service"], gitDir: string) {
  const { exitCode, stdout } = yield* git.run(["for-each-ref", format], { gitDir, acceptedExitCodes: [128] })
  // 128: a reference to an object that is not there makes git list nothing at all.
  if (exitCode === 128) return yield* listReadableRefs(git, catFile, gitDir)
  const refs: Array<Ref> = []
  for (const line of lines(stdout)) {
    const [name = "", oid = "", type, peeled = "", peeledType] = line.split("\0")
    const kind = toObjectType(type)
    if (kind === undefined) continue
    refs.push(
      peeled === ""
        ? { name, oid, type: kind }
        : // Git before 2.45 peels once: a tag of a tag needs more.
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

/** Tags of tags that are followed. */
const maxPeel = 16

/** What a tag points to in the end. */
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
