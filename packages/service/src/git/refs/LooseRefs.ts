/**
 * Reads the reference files of a repository, as git's `refs/files-backend.c` does. A file is read again only if its
 * metadata changed.
 *
 * Names and paths are binary strings (one character per byte), because file names need not be UTF-8.
 */
import { type BigIntStats, closeSync, type Dirent, openSync, readdirSync, readSync } from "node:fs"
import { sep } from "node:path"
import * as Effect from "effect/Effect"
import * as FileStat from "../files/FileStat.ts"
import { codeOf } from "../../base/SystemError.ts"
import { linkTarget, READ_FLAGS, realpath } from "../files/Files.ts"
import { type GitError, gitError, unavailable } from "../values/GitError.ts"
import * as RefName from "../values/RefName.ts"

/** The content of a reference file. A broken file hides a packed reference of the same name. */
export type LooseRef =
  | { readonly _tag: "Direct"; readonly oid: string }
  | { readonly _tag: "Symbolic"; readonly target: string }
  | { readonly _tag: "Broken" }

/** All reference files of a repository at one time. */
export interface LooseRefs {
  readonly refs: ReadonlyMap<string, LooseRef>
  readonly folders: ReadonlyMap<string, Folder>
  /** Symbolic links to files. A target can change without a change of the folder. */
  readonly links: ReadonlyMap<string, BigIntStats | undefined>
  /** Path of a file that would block git, or that is too large for a reference file. */
  readonly irregular: string | undefined
}

interface RefFile {
  readonly stat: BigIntStats
  readonly isSettled: boolean
  readonly ref: LooseRef
}

interface Folder {
  readonly stat: BigIntStats | undefined
  readonly isSettled: boolean
  readonly files: ReadonlyMap<string, RefFile>
  readonly folders: ReadonlyArray<string>
  /** Symbolic links to folders, which are also in `folders`. */
  readonly folderLinks: ReadonlySet<string>
  /** Other symbolic links. */
  readonly links: ReadonlyArray<string>
  readonly irregular: string | undefined
}

/** The state before the first read. */
export const empty: LooseRefs = { refs: new Map(), folders: new Map(), links: new Map(), irregular: undefined }

/** Maximum bytes of a reference file. */
const MAX_BYTES = 65_536

/** Maximum folders and files. Links between folders can make a listing arbitrarily long. */
const MAX_FOLDERS = 100_000
const MAX_FILES = 2_000_000

/** Maximum files to compare by metadata also in unchanged folders, for programs that write in place. */
const MAX_COMPARED_FILES = 1024

/** Number of files after which a read lets other fibers run. */
const FILES_PER_TURN = 256

/** Reads the files under `root`, the folder `refs`. `before` is the previous result; `digits` the length of an id. */
export const read = Effect.fnUntraced(function* (
  root: string,
  digits: number,
  before: LooseRefs
): Effect.fn.Return<LooseRefs, GitError> {
  const refs = new Map<string, LooseRef>()
  const folders = new Map<string, Folder>()
  const links = new Map<string, BigIntStats | undefined>()
  let irregular: string | undefined
  let turn = 0
  const comparesAll = before.refs.size <= MAX_COMPARED_FILES
  const queue: Array<QueuedFolder> = [{ path: toBinary(root), name: "refs", parents: [] }]
  for (const queued of queue) {
    const { name, path } = queued
    const known = before.folders.get(path)
    const time = FileStat.now()
    const stat = FileStat.stat(toPath(path))
    const isReused = !comparesAll && known?.isSettled === true && FileStat.isSame(stat, known.stat)
    const folder = isReused ? known : yield* readFolder(path, digits, known, { stat, time })
    folders.set(path, folder)
    irregular ??= folder.irregular
    for (const [file, { ref }] of folder.files) refs.set(`${name}/${file}`, ref)
    for (const link of folder.links) links.set(`${path}/${link}`, FileStat.stat(toPath(`${path}/${link}`)))
    for (const part of folder.folders) {
      const parents = folder.folderLinks.has(part) ? withTarget(queued, part) : queued.parents
      if (parents !== undefined) queue.push({ path: `${path}/${part}`, name: `${name}/${part}`, parents })
    }
    if (queue.length > MAX_FOLDERS || refs.size > MAX_FILES) {
      return yield* gitError({ _tag: "Unreadable", path: root, detail: "it contains too many references" })
    }
    turn += isReused ? 1 : folder.files.size + 1
    if (turn > FILES_PER_TURN) {
      turn = 0
      yield* Effect.yieldNow
    }
  }
  return { refs, folders, links, irregular }
})

/**
 * Maximum number of reference files to watch individually. Git replaces files, which a watch on the folder notices.
 * Writes in place (go-git) are noticed at once only in repositories with at most this many files.
 */
const MAX_WATCHED_FILES = 16

/** The files and folders whose metadata changes with the references. `time` is the start of the read. */
export const watched = ({ folders, links, refs }: LooseRefs, time: bigint) => [
  ...[...folders].map(([path, { isSettled, stat }]) => ({ path: toPath(path), stat, isSettled })),
  ...[...links].map(([path, stat]) => ({ path: toPath(path), stat, isSettled: FileStat.isSettled(stat, time) })),
  ...(refs.size > MAX_WATCHED_FILES
    ? []
    : [...folders].flatMap(([folder, { files }]) =>
        [...files].map(([name, { isSettled, stat }]) => ({ path: toPath(`${folder}/${name}`), stat, isSettled }))
      ))
]

interface QueuedFolder {
  readonly path: string
  readonly name: string
  /** Real paths of the folders on the way here that have or are targets of links. */
  readonly parents: ReadonlyArray<string>
}

/** `parents` of the target of a link; `undefined` if the link leads to a parent folder and would never end. */
const withTarget = ({ parents, path }: QueuedFolder, link: string): ReadonlyArray<string> | undefined => {
  const here = realpath(toText(path))
  const target = realpath(toText(`${path}/${link}`))
  if (here === undefined || target === undefined) return undefined
  const all = [...parents, here]
  return all.some((parent) => parent === target || parent.startsWith(target + sep)) ? undefined : [...all, target]
}

/** Reads a folder whose metadata was taken at `time`, just before. Files with unchanged metadata come from `known`. */
const readFolder = (
  path: string,
  digits: number,
  known: Folder | undefined,
  { stat, time }: { readonly stat: BigIntStats | undefined; readonly time: bigint }
): Effect.Effect<Folder, GitError> =>
  Effect.suspend(() => {
    const files = new Map<string, RefFile>()
    const folders: Array<string> = []
    const folderLinks = new Set<string>()
    const links: Array<string> = []
    let irregular: string | undefined
    try {
      for (const entry of entriesOf(path)) {
        const { name } = entry
        if (name.startsWith(".") || name.endsWith(".lock")) continue
        const file = `${path}/${name}`
        const isLink = entry.isSymbolicLink()
        const fileStat = entry.isDirectory() ? undefined : FileStat.stat(toPath(file))
        if (entry.isDirectory() || fileStat?.isDirectory() === true) {
          folders.push(name)
          if (isLink) folderLinks.add(name)
          continue
        }
        if (isLink) links.push(name)
        // A dangling link, or a file deleted in the meantime.
        if (fileStat === undefined) continue
        if (!fileStat.isFile() || fileStat.size > MAX_BYTES) {
          irregular ??= toText(file)
          continue
        }
        const before = known?.files.get(name)
        if (!isLink && before?.isSettled === true && FileStat.isSame(before.stat, fileStat)) {
          files.set(name, before)
          continue
        }
        const ref = (isLink ? linkedRef(file) : undefined) ?? readRef(file, digits)
        if (ref !== undefined) {
          files.set(name, { stat: fileStat, isSettled: FileStat.isSettled(fileStat, time), ref })
        }
      }
    } catch (cause) {
      return Effect.fail(unavailable(`Cannot read references in ${toText(path)}: ${String(cause)}`))
    }
    return Effect.succeed({
      stat,
      isSettled: FileStat.isSettled(stat, time),
      files,
      folders,
      folderLinks,
      links,
      irregular
    })
  })

/** Error codes of a missing file or folder. */
const absent: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"])

/** Error codes of a file or folder that stays unreadable for this process. */
const unreadable: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "ELOOP", "EISDIR", "ENXIO", "ENAMETOOLONG"])

/** Like git, treats an unreadable folder as empty. Throws if the process lacks resources. */
const entriesOf = (path: string): ReadonlyArray<Dirent> => {
  try {
    return readdirSync(toPath(path), { encoding: "latin1", withFileTypes: true })
  } catch (cause) {
    const code = codeOf(cause)
    if (absent.has(code) || unreadable.has(code)) return []
    throw cause
  }
}

/** The reference in a symbolic link, as created by git before 2006. */
const linkedRef = (path: string): LooseRef | undefined => {
  const target = toBinary(linkTarget(toText(path)) ?? "")
  return target.startsWith("refs/") && RefName.isWellFormed(target) ? { _tag: "Symbolic", target } : undefined
}

const broken: LooseRef = { _tag: "Broken" }

const buffer = Buffer.allocUnsafeSlow(MAX_BYTES)

/** Reads a reference file. `undefined` for a deleted file. Throws if the process lacks resources. */
const readRef = (path: string, digits: number): LooseRef | undefined => {
  let file: number
  try {
    file = openSync(toPath(path), READ_FLAGS)
  } catch (cause) {
    const code = codeOf(cause)
    if (absent.has(code)) return undefined
    if (unreadable.has(code)) return broken
    throw cause
  }
  try {
    return parse(buffer.toString("latin1", 0, readSync(file, buffer, 0, MAX_BYTES, 0)), digits)
  } finally {
    closeSync(file)
  }
}

const directRef = { 40: /^[0-9a-fA-F]{40}(?=$|[ \t\n\r\0])/, 64: /^[0-9a-fA-F]{64}(?=$|[ \t\n\r\0])/ }

/** Parses the content of a reference file, a binary string. */
export const parse = (content: string, digits: number): LooseRef => {
  const oid = (digits === 64 ? directRef[64] : directRef[40]).exec(content)?.[0].toLowerCase()
  // Git treats a file with the null id as damaged.
  if (oid !== undefined) return /^0+$/.test(oid) ? broken : { _tag: "Direct", oid }
  const target = /^ref:[ \t\n\r]*([^\0]*)/.exec(content)?.[1]?.replace(/[ \t\n\r]+$/, "")
  return target === undefined ? broken : { _tag: "Symbolic", target }
}

/** Path of a binary string for `node:fs`. */
const toPath = (binary: string): string | Buffer => (isAscii(binary) ? binary : Buffer.from(binary, "latin1"))

/** Converts a binary string to text. */
export const toText = (binary: string): string => (isAscii(binary) ? binary : Buffer.from(binary, "latin1").toString())

const toBinary = (text: string): string => (isAscii(text) ? text : Buffer.from(text).toString("latin1"))

const isAscii = (text: string): boolean => !/[^\0-\u007f]/.test(text)
