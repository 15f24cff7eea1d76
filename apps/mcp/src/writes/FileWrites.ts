/** Refuses to write the marks of an answer to a file, in every operation by which text gets into a repository. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Base64 from "effect/encoding/Base64"
import type { Client } from "@tongs/core/client/Client"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import { isObject } from "effect/Predicate"
import * as TextContent from "@tongs/core/contract/TextContent"
import type { Arguments } from "../answer/Answer.ts"
import type { WrittenFile } from "../call/WriteGuard.ts"
import { MAX_BYTES } from "../files/FileReader.ts"
import * as ReadBack from "../files/ReadBack.ts"
import type * as ReadMarks from "../files/ReadMarks.ts"

/** A file that a request writes. */
interface FileWrite extends ReadBack.Replacement {
  readonly path: string | undefined
  /** Id of the blob that the file has now; undefined for a new file, or if unknown. */
  readonly base: string | undefined
}

/** The forge, and the texts of its files that the server has shown. */
export interface Context {
  readonly forge: Client
  readonly shown: ReadMarks.Shown
}

/** Returns why the texts of a request must not be written; undefined for allowed texts. Reads the replaced files. */
export const refusal = Effect.fnUntraced(function* (
  { group, name }: CatalogEntry,
  input: Arguments,
  context: Context,
  deadline: number
) {
  const { owner, repo } = input
  const { forge } = context
  if (typeof owner !== "string" || typeof repo !== "string") return undefined
  const files = yield* writesOf(`${group}.${name}`, input, (tree) => blobsOf(forge, { owner, repo, tree }, deadline))
  for (const { base: id, ...file } of files) {
    const bytes = id === undefined ? undefined : yield* readBlob(forge, { owner, repo, sha: id }, deadline)
    const base = id === undefined || bytes === undefined ? undefined : { id, bytes }
    const found = problem([{ ...file, base }], context, { owner, repo })
    if (found !== undefined) return found
  }
  return undefined
})

/** Returns why the texts of files must not be written; undefined for allowed texts. */
export const problem = (
  files: ReadonlyArray<WrittenFile>,
  { forge, shown }: Context,
  { owner, repo }: Readonly<Record<string, string>>
): string | undefined => {
  for (const file of files) {
    const { base, path } = file
    const found =
      (base === undefined ? undefined : ReadBack.problem(base.bytes, file, forge.mask)) ?? markProblem(file, shown)
    if (found === undefined) continue
    const place = path === undefined ? "" : `in ${JSON.stringify(path)}, `
    return `${place}${found} ${rawOf(base?.id, `${owner}/${repo}`)}`
  }
  return undefined
}

const rawOf = (base: string | undefined, repo: string): string =>
  base === undefined
    ? "To write exactly this text, pass it in Base64."
    : `To read the file as Base64: run_operation ${JSON.stringify({ operation: "gitBlobs.get", arguments: { repo, file_sha: base }, fields: ["*"] })}`

/** Finds marks of the texts that the server has shown, also of other files. The replaced file can have the same text. */
const markProblem = ({ base, isBytes, text }: WrittenFile, shown: ReadMarks.Shown): string | undefined => {
  const found = isBytes ? undefined : shown.find(text)
  return found === undefined || (base !== undefined && Buffer.from(base.bytes).includes(found.mark))
    ? undefined
    : `line ${found.line} has ${JSON.stringify(found.mark)}, where an answer has replaced characters of a file. Write the characters themselves.`
}

/** Returns the files that a request writes. `blobs` reads the files of a tree. */
const writesOf = Effect.fnUntraced(function* <E, R>(
  operation: string,
  input: Arguments,
  blobs: (tree: string) => Effect.Effect<ReadonlyMap<string, string>, E, R>
): Effect.fn.Return<ReadonlyArray<FileWrite>, E, R> {
  const { base_tree: baseTree, content, encoding, path, sha, tree } = input
  switch (operation) {
    case "contents.createOrUpdate":
      return fileWrite(content, undefined, textOf(path), textOf(sha))
    case "gitBlobs.create":
      return fileWrite(content, encoding, undefined, undefined)
    case "gitTrees.create": {
      const entries = (Array.isArray(tree) ? tree : []).filter(isObject)
      const written = entries.flatMap((entry) =>
        "content" in entry
          ? fileWrite(entry.content, "utf-8", "path" in entry ? textOf(entry.path) : undefined, undefined)
          : []
      )
      const isBaseNeeded = typeof baseTree === "string" && written.length > 0
      const known = isBaseNeeded ? yield* blobs(baseTree) : new Map<string, string>()
      return written.map((file) => ({ ...file, base: known.get(file.path ?? "") }))
    }
    default:
      return []
  }
})

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const fileWrite = (
  content: unknown,
  encoding: unknown,
  path: string | undefined,
  base: string | undefined
): ReadonlyArray<FileWrite> => {
  if (typeof content !== "string") return []
  const base64 = encoding === "base64" ? content : encoding === undefined ? TextContent.base64Of(content) : undefined
  const bytes = base64 === undefined ? undefined : Result.getOrUndefined(Base64.decode(base64.replace(/\s/g, "")))
  if (base64 !== undefined && bytes === undefined) return []
  const text = bytes === undefined ? content : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  return [{ path, base, text, isBytes: bytes !== undefined }]
}

interface Blob {
  readonly owner: string
  readonly repo: string
  readonly sha: string
}

/** Reads a blob; undefined for a missing blob, for which the forge refuses the write. */
const readBlob = Effect.fnUntraced(function* (forge: Client, { owner, repo, sha }: Blob, deadline: number) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  return yield* Stream.runForEachWhile(
    forge.download(
      "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
      { owner, repo, file_sha: sha },
      { mediaType: "raw", deadline }
    ),
    (chunk) =>
      Effect.sync(() => {
        chunks.push(chunk)
        size += chunk.length
        return size < MAX_BYTES
      })
  ).pipe(
    Effect.map((): Uint8Array | undefined => new Uint8Array(Buffer.concat(chunks).subarray(0, MAX_BYTES))),
    Effect.catchTags({ NotFound: () => Effect.undefined, ValidationFailed: () => Effect.undefined })
  )
})

interface Tree {
  readonly owner: string
  readonly repo: string
  readonly tree: string
}

/** Reads the ids of the files of a tree by path; none if the forge does not have the tree. */
const blobsOf = (forge: Client, { owner, repo, tree }: Tree, deadline: number) =>
  forge.gitTrees.get({ owner, repo, tree_sha: tree, recursive: "1" }, { deadline }).pipe(
    Effect.map(({ tree }): ReadonlyMap<string, string> => new Map(tree.map(({ path, sha }) => [path, sha]))),
    Effect.catchTags({
      NotFound: () => Effect.succeed(new Map<string, string>()),
      ValidationFailed: () => Effect.succeed(new Map<string, string>())
    })
  )
