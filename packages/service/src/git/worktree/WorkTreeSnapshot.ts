/**
 * Writes the files of a work tree as a child of the checked-out commit, so that code that reads commits can also read
 * the work tree. Files have the same bytes as on disk: git's filters and conversions of line ends never run. Equal
 * files give an equal commit id.
 */
import { createHash } from "node:crypto"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { entryOf } from "../files/Files.ts"
import type { GitRepository } from "../GitRepository.ts"
import * as ObjectFiles from "../objects/ObjectFiles.ts"
import type { GitError } from "../values/GitError.ts"
import type { ObjectType, TreeEntry } from "../values/GitObject.ts"
import { encodeCommit, encodeTree } from "../values/ObjectEncoding.ts"
import type { WorkTreeChange, WorkTreeDifference } from "./WorkTree.ts"
import { keyOf } from "./WorkTreeOutput.ts"
import * as WorkTreeReader from "./WorkTreeReader.ts"

/** A commit with the files of a work tree. */
export interface WorkTreeSnapshot {
  /** Id of the commit: that of `head` if the work tree has no changes. */
  readonly commit: string
  /** False if some files are left out. */
  readonly isComplete: boolean
  /** Sentences about files that were left out or changed during the read. */
  readonly notes: ReadonlyArray<string>
}

/** Contents of files from earlier snapshots, by the bytes of the paths. Valid for one view. */
export type KnownFiles = Map<string, { readonly version: string; readonly oid: string }>

/** Maximum size of a file in bytes, total bytes and number of files read by one snapshot. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
const MAX_BYTES = 256 * 1024 * 1024
const MAX_FILES = 20_000

/** Milliseconds after a change of a file in which another change may not alter the times. */
const SETTLE_MILLIS = 2_000

/** Maximum concurrent reads of files. */
const CONCURRENCY = 8

/** Maximum paths named in a note. */
const MAX_NAMED = 3

/** Author of the commits. The time is that of the parent, so that ids depend only on the files. */
const author = { name: "Tongs", email: "tongs@localhost", timezone: "+0000" }

const MESSAGE = "Uncommitted changes\n"

interface FileRead {
  readonly change: WorkTreeChange
  /** Undefined for a path without a file. */
  readonly file: { readonly mode: string; readonly oid: string } | undefined
}

/** A path whose file could not be read into the snapshot. */
interface Problem {
  readonly path: string
  readonly reason: "unreadable" | "large" | "unstable"
}

/**
 * Writes the snapshot of a difference to `head` as objects of `view`. Gives the number of bytes of all objects as
 * well. Reuses and extends the contents in `known`.
 */
export const write = Effect.fn("WorkTreeSnapshot.write")(function* (
  view: GitRepository,
  head: string | undefined,
  { entries, folder, isComplete, notes }: WorkTreeDifference,
  known: KnownFiles,
  now: number
): Effect.fn.Return<WorkTreeSnapshot & { readonly written: number }, GitError> {
  const store: ObjectFiles.ObjectStore = {
    gitDir: view.gitDir,
    format: view.objectFormat,
    shared: undefined,
    isDurable: false
  }
  const problems: Array<Problem> = []
  let left = MAX_BYTES
  let written = 0
  const writeObject = (type: ObjectType, content: Uint8Array) => {
    written += content.length
    return ObjectFiles.write(store, type, content)
  }
  const read = Effect.fnUntraced(function* (change: WorkTreeChange): Effect.fn.Return<FileRead | undefined, GitError> {
    const { entry, name, path } = change
    if (entry === undefined) return { change, file: undefined }
    const key = keyOf(name)
    const mode = entry.isLink ? "120000" : entry.isExecutable ? "100755" : "100644"
    const before = known.get(key)
    if (before?.version === entry.version) return { change, file: { mode, oid: before.oid } }
    left -= entry.size
    if (entry.size > MAX_FILE_BYTES || left < 0) {
      problems.push({ path, reason: "large" })
      return undefined
    }
    const content = entry.isLink ? readLink(folder, path) : WorkTreeReader.read(folder, path, MAX_FILE_BYTES)
    if (content?.bytes === undefined) {
      // A file removed after the listing is not in the snapshot.
      if (entryOf(join(folder, path)) === undefined) return { change, file: undefined }
      problems.push({ path, reason: content === undefined ? "unreadable" : "large" })
      return undefined
    }
    if (!content.isStable) problems.push({ path, reason: "unstable" })
    const oid = yield* writeObject("blob", content.bytes)
    if (content.isStable && entry.changedAt < now - SETTLE_MILLIS) known.set(key, { version: entry.version, oid })
    return { change, file: { mode, oid } }
  })

  const listed = entries.slice(0, MAX_FILES)
  const files = (yield* Effect.forEach(listed, read, { concurrency: CONCURRENCY })).filter((one) => one !== undefined)
  const headCommit = head === undefined ? undefined : yield* view.commit(head)
  const tree =
    (yield* writeTree(view, headCommit?.tree, nodesOf(files), writeObject)) ??
    (yield* writeObject("tree", Buffer.alloc(0)))
  const person = { ...author, seconds: headCommit?.committer.seconds ?? 0 }
  const content = {
    tree,
    parents: head === undefined ? [] : [head],
    author: person,
    committer: person,
    message: MESSAGE
  }
  const commit =
    head !== undefined && tree === headCommit?.tree
      ? head
      : yield* writeObject("commit", encodeCommit(content, view.objectFormat))
  return {
    commit,
    isComplete: isComplete && listed.length === entries.length && problems.every(({ reason }) => reason === "unstable"),
    notes: [...notes, ...describe(problems, entries.length)],
    written
  }
})

/** Returns a string that is equal for equal differences, if no file changed within the resolution of its times. */
export const fingerprint = ({ entries, isComplete }: WorkTreeDifference, now: number): string | undefined => {
  if (entries.some(({ entry }) => entry !== undefined && entry.changedAt >= now - SETTLE_MILLIS)) return undefined
  const hash = createHash("sha256").update(String(isComplete))
  for (const { entry, name } of entries) hash.update(name).update(`\0${entry?.version}\0${entry?.isExecutable}\0`)
  return hash.digest("hex")
}

const readLink = (folder: string, path: string) => {
  const bytes = WorkTreeReader.readLink(folder, path)
  return bytes === undefined ? undefined : { bytes, isStable: true }
}

/** Changes of a folder, by the bytes of the entry names. */
interface Node {
  /** The new file, or null for a removed file. Undefined if the name is only a folder. */
  file: FileRead["file"] | null
  readonly name: Buffer
  readonly children: Map<string, Node>
}

const nodesOf = (files: ReadonlyArray<FileRead>): Node["children"] => {
  const root: Node["children"] = new Map()
  for (const { change, file } of files) {
    let children = root
    let node: Node | undefined
    for (let start = 0; start <= change.name.length;) {
      const slash = change.name.indexOf("/", start)
      const name = change.name.subarray(start, slash === -1 ? change.name.length : slash)
      start += name.length + 1
      node = children.get(keyOf(name))
      if (node === undefined) {
        node = { file: undefined, name, children: new Map() }
        children.set(keyOf(name), node)
      }
      children = node.children
    }
    if (node !== undefined) node.file = file ?? null
  }
  return root
}

type WriteObject = (type: ObjectType, content: Uint8Array) => Effect.Effect<string, GitError>

/** Applies changes to a tree, or to an empty one, and gives the id of the result. Undefined for a tree without entries. */
const writeTree: (
  view: GitRepository,
  base: string | undefined,
  changes: Node["children"],
  writeObject: WriteObject
) => Effect.Effect<string | undefined, GitError> = Effect.fnUntraced(function* (view, base, changes, writeObject) {
  const before: ReadonlyArray<TreeEntry> = (base === undefined ? undefined : yield* view.tree(base)) ?? []
  if (changes.size === 0) return base
  const entries = new Map(before.map((entry) => [keyOf(entry.bytes ?? Buffer.from(entry.name)), entry]))
  for (const [key, { children, file, name }] of changes) {
    const entry = entries.get(key)
    const isFolder = entry?.type === "tree"
    if (file === null && !isFolder) entries.delete(key)
    const folder = yield* writeTree(view, isFolder ? entry.oid : undefined, children, writeObject)
    const own = { name: name.toString(), bytes: name }
    if (file !== undefined && file !== null) entries.set(key, { ...own, type: "blob", mode: file.mode, oid: file.oid })
    else if (folder !== undefined) entries.set(key, { ...own, type: "tree", mode: "040000", oid: folder })
    else if (isFolder) entries.delete(key)
  }
  return entries.size === 0 ? undefined : yield* writeObject("tree", encodeTree(entries.values()))
})

const reasons: Readonly<Record<Problem["reason"], string>> = {
  unreadable: "cannot be read, so the commit's version is shown",
  large: "too large, so the commit's version is shown",
  unstable: "changed while it was read"
}

/** Returns one sentence for each kind of problem. */
const describe = (problems: ReadonlyArray<Problem>, total: number): ReadonlyArray<string> => [
  ...Object.entries(Object.groupBy(problems, ({ reason }) => reasons[reason])).map(([reason, found = []]) => {
    const more = found.length - MAX_NAMED
    const names = found.slice(0, MAX_NAMED).map(({ path }) => path)
    return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}: ${reason}.`
  }),
  ...(total > MAX_FILES
    ? [`Only ${MAX_FILES} of ${total} changed files are shown: add files that git should not track to .gitignore.`]
    : [])
]
