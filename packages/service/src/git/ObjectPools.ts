/**
 * Object pools: immutable folders of objects that forks share with the repository that they were made from. A pool has
 * exactly the objects that the copied references reached when it was made, without the objects of the pools below it,
 * and no references. Repositories name their pools in `objects/info/alternates`.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { realpathSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { flush } from "../base/Flush.ts"
import { entries, exists, isFile, linkTarget } from "./files/Files.ts"
import * as ServedDir from "./files/ServedDir.ts"
import * as ProcessName from "../base/ProcessName.ts"
import * as StagingFolder from "./files/StagingFolder.ts"
import type { GitRepository } from "./GitRepository.ts"
import type { Git } from "./process/Git.ts"
import { type GitError, gitError } from "./values/GitError.ts"
import type { Ref } from "./refs/RefListing.ts"
import * as RefName from "./values/RefName.ts"

/** Bytes from which objects are put into a pool. Fewer objects are copied into each fork. */
export const MinimumPoolBytes = Context.Reference("@tongs/service/git/MinimumPoolBytes", {
  defaultValue: () => 1024 * 1024
})

/** Maximum milliseconds of a command that writes all objects of a repository. */
const MAX_MILLIS = 60 * 60_000

const deadlines = { silenceMillis: MAX_MILLIS, stallMillis: MAX_MILLIS, totalMillis: MAX_MILLIS }

/** What a fork copies. */
export interface CopiedRefs {
  /** Name of the default branch. */
  readonly head: string
  readonly refs: ReadonlyArray<Ref>
}

/** A pool in its folder. */
export interface Pool {
  readonly folder: string
  /** The ids of the references for which the pool was made. */
  readonly tips: ReadonlyArray<string>
}

/** A folder with a pack that becomes a pool or is moved into a repository. */
export interface StagedPack {
  readonly folder: string
  readonly bytes: number
}

const tryFiles = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, GitError> =>
  Effect.tryPromise({ try: run, catch: (cause) => gitError({ _tag: "NotWritable", path, detail: String(cause) }) })

const objectsOf = ({ gitDir }: Pick<GitRepository, "gitDir">): string =>
  linkTarget(join(gitDir, "objects")) ?? join(gitDir, "objects")

const packFolder = (folder: string): string => join(folder, "objects", "pack")

/** Branches and tags. A fork has no other references, for example those of pull requests. */
export const copiedRefs = Effect.fn("ObjectPools.copiedRefs")(function* (
  repository: GitRepository,
  defaultBranchOnly: boolean
): Effect.fn.Return<CopiedRefs, GitError> {
  const head = yield* repository.head
  const wanted = defaultBranchOnly
    ? ({ name }: Ref) => name === RefName.branch(head)
    : ({ name }: Ref) => name.startsWith("refs/heads/") || name.startsWith("refs/tags/")
  return { head, refs: (yield* repository.refs()).filter(wanted) }
})

/** Returns why a repository has not all of its objects, so that it cannot be forked. */
export const incompleteness = (repository: Pick<GitRepository, "gitDir">): string | undefined => {
  if (isFile(join(ServedDir.of(repository.gitDir), "shallow"))) {
    return "it is a shallow clone; run `git fetch --unshallow` there"
  }
  const packs = entries(join(objectsOf(repository), "pack"))
  return packs.some(({ name }) => name.endsWith(".promisor"))
    ? "it is a partial clone, which lacks objects; clone it completely"
    : undefined
}

/** Reads a pool. Undefined for a pool that a killed process did not finish. */
export const read = (folder: string): Effect.Effect<Pool | undefined> =>
  Effect.map(Effect.option(Effect.tryPromise(() => readFile(join(folder, "tips"), "utf8"))), (text) =>
    text._tag === "None" ? undefined : { folder, tips: text.value.split("\n").filter((line) => line !== "") }
  )

/** True if the references reach all objects of the pool and of the pools below it. False if that is not certain. */
export const isReached = Effect.fn("ObjectPools.isReached")(function* (
  git: Git["Service"],
  { gitDir }: Pick<GitRepository, "gitDir">,
  { tips }: Pool,
  refs: ReadonlyArray<Ref>
) {
  const input = [...new Set(tips), ...uniqueIds(refs).map((oid) => `^${oid}`)].map((line) => `${line}\n`).join("")
  let isAll = true
  const onOutput = () => (isAll = false)
  const exit = yield* Effect.exit(git.run(["rev-list", "--objects", "--stdin"], { gitDir, input, onOutput }))
  return isAll && exit._tag === "Success"
})

const uniqueIds = (refs: ReadonlyArray<Ref>): ReadonlyArray<string> => [...new Set(refs.map(({ oid }) => oid))]

/** Copies large files without a search for similar ones, and compresses loose objects fast. */
const settings = ["core.bigFileThreshold=1m", "pack.compression=1"]

/** Runs a command whose time depends on the size of the repository. */
const runLong = (git: Git["Service"], args: ReadonlyArray<string>, gitDir: string, input: string) =>
  Effect.scoped(
    Effect.flatMap(
      git.exchange(args, { gitDir, settings, deadlines, input: Stream.make(Buffer.from(input)) }),
      Stream.runDrain
    )
  )

/**
 * Writes the objects that `wanted` reaches and `excluded` does not into a new folder in `parent`, which the scope removes
 * unless it was moved. Reuses the compressed objects of the repository.
 */
export const stage = (
  git: Git["Service"],
  parent: string,
  { gitDir }: Pick<GitRepository, "gitDir">,
  wanted: ReadonlyArray<string>,
  excluded: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      tryFiles(parent, async () => {
        await mkdir(parent, { recursive: true, mode: 0o700 })
        return await StagingFolder.make(parent)
      }),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const packs = packFolder(folder)
    yield* tryFiles(packs, () => mkdir(packs, { recursive: true }))
    const input = [...wanted, "--not", ...excluded].map((line) => `${line}\n`).join("")
    const args = ["pack-objects", "--revs", "--non-empty", "--delta-base-offset", "-q", join(packs, "pack")]
    yield* runLong(git, args, gitDir, input)
    const bytes = yield* tryFiles(packs, async () => {
      const sizes = (await readdir(packs)).map(async (name) => (await stat(join(packs, name))).size)
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    })
    return { folder, bytes } satisfies StagedPack
  })

/** Makes a pool of a staged pack. */
export const publish = Effect.fn("ObjectPools.publish")(function* (
  staged: StagedPack,
  folder: string,
  refs: ReadonlyArray<Ref>
) {
  yield* tryFiles(folder, async () => {
    await writeFile(
      join(staged.folder, "tips"),
      uniqueIds(refs)
        .map((oid) => `${oid}\n`)
        .join("")
    )
    for (const part of ["tips", join("objects", "pack"), "objects", "."]) await flush(join(staged.folder, part))
    await rename(staged.folder, folder)
    await flush(dirname(folder))
  })
})

/** Moves a staged pack into a folder of objects. The index comes last, because git looks for indexes. */
export const moveInto = Effect.fn("ObjectPools.moveInto")(function* (staged: StagedPack, objects: string) {
  yield* tryFiles(objects, async () => {
    const to = join(objects, "pack")
    await mkdir(to, { recursive: true })
    const names = await readdir(packFolder(staged.folder))
    for (const name of names.toSorted((a, b) => Number(a.endsWith(".idx")) - Number(b.endsWith(".idx")))) {
      await rename(join(packFolder(staged.folder), name), join(to, name))
    }
    await flush(to)
  })
})

/**
 * Adds pools to the alternates of a folder of objects, which is or will be at `finalPath`. The paths are relative, so
 * that the data folder can be moved.
 */
export const link = Effect.fn("ObjectPools.link")(function* (
  objects: string,
  pools: ReadonlyArray<Pool>,
  finalPath: string = objects
) {
  if (pools.length === 0) return
  yield* tryFiles(objects, async () => {
    const file = join(objects, "info", "alternates")
    const present = exists(file) ? await readFile(file, "utf8") : ""
    const base = join(realpathSync(dirname(dirname(finalPath))), "repository.git", "objects")
    const lines = pools.map(({ folder }) => relative(base, join(realpathSync(folder), "objects")))
    const known = new Set(present.split("\n"))
    const missing = lines.filter((line) => !known.has(line))
    if (missing.length === 0) return
    await mkdir(dirname(file), { recursive: true })
    const temporary = `${file}.new-${ProcessName.own}`
    const before = present === "" || present.endsWith("\n") ? present : `${present}\n`
    await writeFile(temporary, before + missing.map((line) => `${line}\n`).join(""))
    await flush(temporary)
    await rename(temporary, file)
    await flush(dirname(file))
  })
})

/** Writes the references of a new repository. */
export const writeRefs = (gitDir: string, { head, refs }: CopiedRefs) =>
  tryFiles(gitDir, async () => {
    const lines = refs
      .map(({ name, oid }) => `${oid} ${name}\n`)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.slice(a.indexOf(" "))), Buffer.from(b.slice(b.indexOf(" ")))))
    await writeFile(join(gitDir, "packed-refs"), lines.join(""))
    await writeFile(join(gitDir, "HEAD"), `ref: ${RefName.branch(head)}\n`)
    await flush(join(gitDir, "packed-refs"))
  })

/**
 * Drops the objects of a repository that its pools have, too. Keeps unreachable objects: a concurrent push can refer to
 * them. Other processes may read and write the repository meanwhile, as during `git gc`.
 */
export const dropCopies = (git: Git["Service"], { gitDir }: Pick<GitRepository, "gitDir">) =>
  runLong(git, ["repack", "-a", "-d", "-l", "-k", "-q"], gitDir, "")

/**
 * Copies the objects that commit `oid` of `from` reaches into `to`, except those that the references of `to` reach.
 * `view` reads the objects of both.
 */
export const copyObjects = Effect.fn("ObjectPools.copyObjects")(function* (
  git: Git["Service"],
  parent: string,
  view: GitRepository,
  to: GitRepository,
  oid: string
) {
  const refs = yield* to.refs()
  const staged = yield* stage(git, parent, view, [oid], uniqueIds(refs))
  yield* moveInto(staged, objectsOf(to))
}, Effect.scoped)

/** Folder of the objects of a repository, for a view that reads them in addition to others. */
export const objectFolder = objectsOf
