import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import * as ProcessGroup from "../../base/ProcessGroup.ts"
import { entries } from "../../git/files/Files.ts"
import * as GitCommand from "../../git/process/GitCommand.ts"
import { decodeNames } from "../../git/values/TextDecoding.ts"

/** File of a commit and the id of the content. */
export interface TreeFile {
  readonly path: string
  readonly oid: string
}

/** Files that differ between two commits, without symbolic links and submodules. */
export interface TreeDifference {
  /** True if `set` lists all files of the commit, instead of the added and changed files. */
  readonly isWhole: boolean
  readonly set: ReadonlyArray<TreeFile>
  readonly removed: ReadonlyArray<string>
}

/**
 * Returns the changes from `before` to `after`, or all files of `after` if `before` is null or missing in git. Rejects
 * if git cannot list `after` or the signal aborts.
 */
export const diffTrees = async (
  gitDir: string,
  before: string | null,
  after: string,
  signal: AbortSignal
): Promise<TreeDifference> => {
  const run = (args: ReadonlyArray<string>) => start(gitDir, args, signal)
  if (before !== null) {
    const changes = await run(["diff-tree", "-r", "-z", "--no-renames", "--raw", before, after])
    if (changes !== undefined) return readChanges(changes)
  }
  const files = await run(["ls-tree", "-r", "-z", "--full-tree", after])
  if (files === undefined)
    throw new Error(`git cannot list the files of ${after} in ${gitDir}. Run git fsck there for details`)
  return { isWhole: true, set: readFiles(files), removed: [] }
}

/**
 * Returns the ids of objects in a commit that a partial clone lacks; empty for a full clone. Do not read these objects,
 * because a request for a missing object ends the git process.
 */
export const missingObjects = async (
  gitDir: string,
  commit: string,
  signal: AbortSignal
): Promise<ReadonlySet<string>> => {
  // Git marks packs with missing references.
  const isPartial = entries(join(gitDir, "objects/pack")).some(({ name }) => name.endsWith(".promisor"))
  if (!isPartial) return new Set()
  const objects = await start(
    gitDir,
    ["rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk", commit],
    signal
  )
  return new Set(objects?.split("\n").flatMap((row) => (row.startsWith("?") ? [row.slice(1)] : [])))
}

/** Returns the sizes of contents in bytes, without contents that git lacks. Rejects if git fails. */
export const sizes = async (
  gitDir: string,
  files: ReadonlyArray<TreeFile>,
  signal: AbortSignal
): Promise<ReadonlyMap<string, number>> => {
  const format = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
  const input = files.map(({ oid }) => `${oid}\n`).join("")
  const rows = await start(gitDir, ["cat-file", format, "--buffer"], signal, input)
  if (rows === undefined)
    throw new Error(`git cannot read the sizes of files in ${gitDir}. Run git fsck there for details`)
  return new Map(
    rows.split("\n").flatMap((row) => {
      const [oid = "", type, size] = row.split(" ")
      return type === "blob" ? [[oid, Number(size)] as const] : []
    })
  )
}

/** Bytes of packs below which the size of the files is estimated, and factor of the estimate. */
const SMALL_PACKS = 4 * 1024 * 1024
const COMPRESSION = 8

/**
 * Returns the total size of the files of a commit in bytes, without files above `maxBytes`; 0 if git cannot list them.
 * Only an estimate for a small repository, because starting git takes as long as indexing a few files.
 */
export const totalSize = async (
  gitDir: string,
  commit: string,
  maxBytes: number,
  signal: AbortSignal
): Promise<number> => {
  const objects = join(gitDir, "objects")
  const packs = entries(join(objects, "pack"))
    .filter(({ name }) => name.endsWith(".pack"))
    .map(({ name }) => statSync(join(objects, "pack", name), { throwIfNoEntry: false })?.size ?? 0)
  const packed = packs.reduce((total, size) => total + size, 0)
  if (packed < SMALL_PACKS && !existsSync(join(objects, "info", "alternates"))) return packed * COMPRESSION
  const rows = (await start(gitDir, ["ls-tree", "-r", "-z", "--full-tree", "--long", commit], signal)) ?? ""
  return rows.split("\0").reduce((total, row) => {
    // The size of a submodule is `-`.
    const size = Number(row.slice(0, row.indexOf("\t")).split(" ").at(-1))
    return size <= maxBytes ? total + size : total
  }, 0)
}

/** True if the repository exists and git can read the commit's tree. */
export const has = async (gitDir: string, commit: string, signal: AbortSignal): Promise<boolean> =>
  (await start(gitDir, ["cat-file", "-e", `${commit}^{tree}`], signal)) !== undefined

/**
 * Milliseconds without output after which git is killed. Git prints during reading, so a longer pause means that git
 * hangs.
 */
const SILENCE_MILLIS = 30_000

/** Returns the output of a git command, or undefined if git fails or hangs. Rejects if the signal aborts. */
const start = (
  gitDir: string,
  args: ReadonlyArray<string>,
  signal: AbortSignal,
  input = ""
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = GitCommand.start("git", GitCommand.isolatedEnvironment(), args, { gitDir })
    const stop = () => ProcessGroup.of(child).signal("SIGKILL")
    signal.addEventListener("abort", stop)
    const timer = setTimeout(stop, SILENCE_MILLIS)
    const chunks: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => {
      timer.refresh()
      chunks.push(chunk)
    })
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    child.stderr.resume()
    child.on("error", () => resolve(undefined))
    child.on("close", (code) => {
      clearTimeout(timer)
      signal.removeEventListener("abort", stop)
      if (signal.aborted) reject(new Error("listing the files was cancelled"))
      else resolve(code === 0 ? decodeNames(Buffer.concat(chunks)) : undefined)
    })
  })

const isFile = (mode: string | undefined) => mode === "100644" || mode === "100755" || mode === "100664"

/** Parses rows of `git ls-tree`: `<mode> <type> <oid>\t<path>\0`. */
const readFiles = (text: string): ReadonlyArray<TreeFile> =>
  text.split("\0").flatMap((row) => {
    const tab = row.indexOf("\t")
    const [mode, , oid = ""] = row.slice(0, tab).split(" ")
    return isFile(mode) ? [{ path: row.slice(tab + 1), oid }] : []
  })

/** Parses rows of `git diff-tree`: `:<mode> <mode> <oid> <oid> <status>\0<path>\0`. */
const readChanges = (text: string): TreeDifference => {
  const rows = text.split("\0")
  const set: Array<TreeFile> = []
  const removed: Array<string> = []
  for (let at = 0; at + 1 < rows.length; at += 2) {
    const [before = "", mode, oidBefore, oid = ""] = rows[at]?.split(" ") ?? []
    const path = rows[at + 1] ?? ""
    // A change of the mode alone does not change the content.
    if (isFile(mode) && isFile(before.slice(1)) && oid === oidBefore) continue
    if (isFile(mode)) set.push({ path, oid })
    else removed.push(path)
  }
  return { isWhole: false, set, removed }
}
