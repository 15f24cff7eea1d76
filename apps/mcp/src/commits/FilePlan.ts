/** The files of a new commit: reads the replaced files, and applies edits. */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64 from "effect/encoding/Base64"
import { Forge } from "@tongs/core/client/Forge"
import type { GitTreeEntry, NewGitTreeEntry } from "@tongs/core/contract/groups/GitObjects"
import { type Call, normalizePath, type RepositoryName } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"
import type { WrittenFile } from "../call/WriteGuard.ts"
import * as FileReader from "../files/FileReader.ts"
import * as ReadBack from "../files/ReadBack.ts"
import * as ReadMarks from "../files/ReadMarks.ts"
import * as TextEdit from "../files/TextEdit.ts"
import * as TextFile from "../files/TextFile.ts"
import * as TreePaths from "../files/TreePaths.ts"

/** A file of a new commit. */
export const FileInput = Schema.Struct({
  path: Schema.String,
  edits: Schema.optionalKey(Schema.Array(Schema.Struct({ old: Schema.String, new: Schema.String }))),
  text: Schema.optionalKey(Schema.String),
  base64: Schema.optionalKey(Schema.String),
  delete: Schema.optionalKey(Schema.Boolean),
  move: Schema.optionalKey(Schema.String)
})
type FileInput = typeof FileInput.Type

/** A file before and after a commit. */
export interface PlannedFile {
  readonly path: string
  /** The path before the commit, if different. */
  readonly from: string | undefined
  /** Undefined for a new file. `bytes` are undefined if not read. */
  readonly before: { readonly entry: GitTreeEntry; readonly bytes: Uint8Array | undefined } | undefined
  /** Undefined for a deleted file. `bytes` are undefined for a moved file. */
  readonly after:
    | (Pick<NewGitTreeEntry, "mode" | "type"> & {
        readonly sha: string
        readonly bytes: Uint8Array | undefined
      })
    | undefined
  /** The text to check for marks of answers. */
  readonly written: WrittenFile | undefined
}

/** The commit that the files change. */
export interface Base {
  readonly sha: string
  readonly tree: string
}

/** Plans the files. Fails with a `ToolError` that names the file and the reason. */
export const make = Effect.fnUntraced(function* (
  inputs: ReadonlyArray<FileInput>,
  repository: RepositoryName,
  base: Base,
  call: Call
) {
  const forge = yield* Forge
  const files = inputs.map((file) => ({
    ...file,
    path: pathOf(file.path),
    ...(file.move === undefined ? {} : { move: pathOf(file.move) })
  }))
  yield* checkPaths(files)
  const paths = files.flatMap(({ move, path }) => (move === undefined ? [path] : [path, move]))
  const entries = yield* TreePaths.find(repository, base.tree, paths, call)
  const read = Effect.fnUntraced(function* ({ sha, size = 0 }: GitTreeEntry) {
    if (size > FileReader.MAX_BYTES) return undefined
    return yield* FileReader.readBlob(repository, sha, call.deadline)
  })
  const show = (text: string) => ReadMarks.show(text, forge.mask)
  const planned = yield* Effect.forEach(files, (file) => plan(file, entries, base, { read, show }))
  if (planned.every(({ after, before, from }) => from === undefined && after?.sha === before?.entry.sha))
    return yield* new ToolError({ detail: "Nothing was committed, because no file would change." })
  return planned.toSorted((one, other) => (one.path < other.path ? -1 : 1))
})

const pathOf = (path: string): string => normalizePath(path).replace(/^(?:\.\/+)+/, "")

const fail = (path: string, reason: string) =>
  Effect.fail(new ToolError({ detail: `Nothing was committed: ${JSON.stringify(path.slice(0, 200))} ${reason}` }))

/** Returns whether a file defines a workflow. Some file systems do not distinguish the case. */
const isWorkflow = (path: string): boolean => /^\.github\/workflows\//i.test(path)

const checkPaths = Effect.fnUntraced(function* (files: ReadonlyArray<FileInput>) {
  const seen = new Set<string>()
  for (const { move, path, text } of files) {
    if (move !== undefined && text === undefined && isWorkflow(move) && !isWorkflow(path))
      return yield* fail(
        move,
        "is a workflow, whose text the user has to see: delete the old file, and pass path and text."
      )
    for (const one of move === undefined ? [path] : [path, move]) {
      if (one === "" || one.split("/").some((part) => part === "" || part === "." || part === ".."))
        return yield* fail(one, "is not the path of a file.")
      if (seen.has(one)) return yield* fail(one, "is named twice.")
      seen.add(one)
    }
  }
  const written = files.flatMap((file) => (file.delete === true ? [] : [file.move ?? file.path]))
  for (const one of written) {
    const inside = written.find((other) => other.startsWith(`${one}/`))
    if (inside !== undefined) return yield* fail(one, `cannot be a file and the folder of ${JSON.stringify(inside)}.`)
  }
})

interface Reader<E, R> {
  readonly read: (entry: GitTreeEntry) => Effect.Effect<Uint8Array | undefined, E, R>
  readonly show: (text: string) => string
}

const plan = Effect.fnUntraced(function* <E, R>(
  file: FileInput,
  entries: TreePaths.Entries,
  base: Base,
  { read, show }: Reader<E, R>
): Effect.fn.Return<PlannedFile, E | ToolError, R> {
  const { base64, edits, move, path, text } = file
  const entry = entries.get(path)
  const isDeleted = file.delete === true
  const contents = [base64, edits, text].filter((content) => content !== undefined).length
  if (
    contents + Number(isDeleted) > 1 ||
    (contents === 0 && !isDeleted && move === undefined) ||
    (isDeleted && move !== undefined)
  )
    return yield* fail(path, "needs exactly one of edits, text, base64, delete and move; move also takes content.")
  if (entry === undefined && (isDeleted || edits !== undefined || move !== undefined))
    return yield* fail(path, `does not exist in commit ${base.sha.slice(0, 7)}.`)
  if (entry?.type === "tree") return yield* fail(path, "is a folder. Name each of its files.")
  const to = move ?? path
  if (move !== undefined && entries.has(move)) return yield* fail(move, "exists: delete it in an earlier commit.")
  const from = move === undefined ? undefined : path
  if (entry !== undefined && isDeleted)
    return { path, from, before: { entry, bytes: undefined }, after: undefined, written: undefined }
  if (entry !== undefined && contents === 0) {
    const after = { mode: modeOf(entry.mode), type: typeOf(entry), sha: entry.sha, bytes: undefined }
    return { path: to, from, before: { entry, bytes: undefined }, after, written: undefined }
  }
  if (entry !== undefined && (entry.type === "commit" || entry.mode === LINK))
    return yield* fail(path, `is a ${entry.type === "commit" ? "submodule" : "symbolic link"}. Delete or move it.`)
  const bytes = entry === undefined ? undefined : yield* read(entry)
  const made = yield* Effect.fromResult(contentOf(file, bytes, show)).pipe(
    Effect.catch((reason) =>
      fail(path, `${reason}${edits === undefined ? "" : ` (in commit ${base.sha.slice(0, 7)})`}`)
    )
  )
  const known = entry === undefined || bytes === undefined ? undefined : { id: entry.sha, bytes }
  return {
    path: to,
    from,
    before: entry === undefined ? undefined : { entry, bytes },
    after: {
      mode: entry === undefined ? "100644" : modeOf(entry.mode),
      type: "blob",
      sha: blobId(made.bytes, base.sha.length),
      bytes: made.bytes
    },
    written: { path: to, text: made.text, isBytes: known !== undefined || base64 !== undefined, base: known }
  }
})

const LINK = "120000"

/** Returns the mode of an entry. Old repositories can have other modes of files, which git treats as 100644. */
const modeOf = (mode: string): NewGitTreeEntry["mode"] =>
  mode === "100755" || mode === LINK || mode === "160000" ? mode : "100644"

const typeOf = ({ type }: GitTreeEntry): "blob" | "commit" => (type === "commit" ? "commit" : "blob")

interface Content {
  readonly bytes: Uint8Array
  readonly text: string
}

/** Returns the new content of a file. Fails with the reason. */
const contentOf = (
  { base64, edits, text = "" }: FileInput,
  before: Uint8Array | undefined,
  show: (text: string) => string
): Result.Result<Content, string> => {
  if (base64 !== undefined) {
    const bytes = Base64.decode(base64.replace(/\s/g, ""))
    return Result.isSuccess(bytes)
      ? Result.succeed({ bytes: bytes.success, text: new TextDecoder().decode(bytes.success) })
      : Result.fail("has invalid base64.")
  }
  const file = before === undefined ? undefined : TextFile.decode(before)
  if (edits === undefined) {
    if (before === undefined) return encode(text, file)
    if (file === undefined) return Result.fail(NOT_TEXT)
    const written = likeFile(text, file.text)
    const problem = ReadBack.lineEndProblem(file.text, written)
    return problem === undefined ? encode(written, file) : Result.fail(`was not replaced: ${problem}`)
  }
  if (before === undefined) return Result.fail("is too large for edits.")
  if (file === undefined) return Result.fail(NOT_TEXT)
  return Result.flatMap(
    Result.mapError(TextEdit.apply(file.text, edits, show), (reason) => `was not edited: ${reason}`),
    (edited) => encode(edited, file)
  )
}

const NOT_TEXT = "is not text. To replace it, pass base64."

const encode = (text: string, file: TextFile.TextFile | undefined): Result.Result<Content, string> => {
  const bytes = file === undefined ? (text.isWellFormed() ? Buffer.from(text) : undefined) : file.encode(text)
  return bytes === undefined
    ? Result.fail(`would get characters that its encoding (${file?.encoding ?? "UTF-8"}) lacks. Pass base64.`)
    : Result.succeed({ bytes, text })
}

const BYTE_ORDER_MARK = "\ufeff"
const SHOWN_MARK = "<U+FEFF>"

/** Returns a text with the byte order mark of a file, and with CRLF if all lines of the file end so. */
const likeFile = (text: string, file: string): string => {
  const isCrLf = file.includes("\r\n") && !/(?<!\r)\n/.test(file) && !text.includes("\r")
  const lines = isCrLf ? text.replaceAll("\n", "\r\n") : text
  if (!file.startsWith(BYTE_ORDER_MARK) || text.startsWith(BYTE_ORDER_MARK)) return lines
  // Answers show the mark.
  const isShown = lines.startsWith(SHOWN_MARK) && !file.startsWith(SHOWN_MARK, 1)
  return BYTE_ORDER_MARK + (isShown ? lines.slice(SHOWN_MARK.length) : lines)
}

/** Returns the id that git gives a file, in a repository with ids of this length. */
const blobId = (bytes: Uint8Array, length: number): string =>
  createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex")

/** Returns the changes of a tree. `blobs` are the contents that the changes name by id. */
export const treeOf = (files: ReadonlyArray<PlannedFile>) => {
  const blobs: Array<Uint8Array> = []
  const tree = files.flatMap(({ after, before, from, path }): ReadonlyArray<NewGitTreeEntry> => {
    const removed =
      before === undefined || (after !== undefined && from === undefined)
        ? []
        : [{ path: from ?? path, mode: modeOf(before.entry.mode), type: typeOf(before.entry), sha: null }]
    if (after === undefined) return removed
    const { bytes, mode, sha, type } = after
    const content = bytes === undefined ? undefined : inline(bytes)
    if (bytes !== undefined && content === undefined) blobs.push(bytes)
    return [
      ...removed,
      { path, mode, ...(type === undefined ? {} : { type }), ...(content === undefined ? { sha } : { content }) }
    ]
  })
  return { tree, blobs }
}

/** Maximum number of bytes of a text in the request for a tree. */
const MAX_INLINE = 100_000

/** Returns the text of bytes that JSON can carry; undefined for other bytes. */
const inline = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > MAX_INLINE || bytes.includes(0)) return undefined
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  return Buffer.compare(Buffer.from(text), bytes) === 0 ? text : undefined
}

/** Returns the content of each file for a question to the user. Workflows come first, because a question can be cut. */
export const describe = (files: ReadonlyArray<PlannedFile>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    files
      .toSorted((one, other) => Number(isWorkflow(other.path)) - Number(isWorkflow(one.path)))
      .map(({ after, from, path, written }) => [
        path,
        after === undefined ? "deleted" : `${from === undefined ? "" : `moved from ${from} `}${written?.text ?? ""}`
      ])
  )
