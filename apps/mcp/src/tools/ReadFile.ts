/** The tool `read_file`: numbered lines of a file, with the last change of each on request. */
import { posix } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Forge } from "@tongs/core/client/Forge"
import type { Blame } from "@tongs/core/contract/groups/History"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Answer, Item } from "../answer/Answer.ts"
import { type Call, normalizePath, repositoryOf } from "../call/Call.ts"
import * as Tool from "../call/Tool.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as BlameHeadings from "../files/BlameHeadings.ts"
import * as FileReader from "../files/FileReader.ts"
import * as FileText from "../files/FileText.ts"
import * as FileView from "../files/FileView.ts"
import * as FolderLines from "../files/FolderLines.ts"
import * as LineRange from "../files/LineRange.ts"
import * as ResourceUri from "../files/ResourceUri.ts"
import * as Truncation from "../text/Truncation.ts"
import * as ReadFiles from "./ReadFiles.ts"

/** Maximum size in bytes of a binary file that has a resource. */
const MAX_BINARY = 1_000_000

/** Maximum number of lines of an answer. Each has at least one token, so more never fit. */
const MAX_LINES = 7_000

/** Maximum number of characters of a line, if more than one is shown. */
const MAX_LINE = 1_000

/** Maximum number of names of a folder. */
const MAX_NAMES = 30

/** Maximum number of entries of a folder that the forge sends. */
const MAX_ENTRIES = 1_000

const Input = Schema.Struct({
  path: Schema.optionalKey(Schema.String),
  paths: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(ReadFiles.MAX_PATHS))),
  lines: Schema.optionalKey(Schema.String),
  around: Schema.optionalKey(Schema.Int),
  blame: Schema.optionalKey(Schema.Boolean),
  ref: ToolInput.ref,
  repo: ToolInput.repo,
  repos: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(ReadFiles.MAX_REPOSITORIES)))
})

/** The arguments that read one file. */
type OneInput = Omit<typeof Input.Type, "path" | "paths" | "repos"> & { readonly path: string }

export const make = (): Tool.Tool =>
  Tool.make({
    name: "read_file",
    description:
      "Read numbered lines (120-160, -20) of a file, or of up to 10 paths such as src/a.ts:10-40, in repo or repos (* is all). blame: who changed them last.",
    uses: ["contents.get", "gitBlobs.get", "history.getBlame"],
    input: Input,
    run: Effect.fnUntraced(function* ({ path, paths, repos, ...input }, call) {
      if (path !== undefined && paths === undefined && repos === undefined)
        return yield* readOne({ ...input, path }, call, FileView.of)
      const all = [...(path === undefined ? [] : [path]), ...(paths ?? [])]
      if (all.length === 0) return yield* new ToolError({ detail: "path is missing: pass path or paths." })
      if (input.lines !== undefined || input.around !== undefined || input.blame !== undefined) {
        return yield* new ToolError({
          detail: "lines, around and blame are for a single path. With paths, write src/a.ts:10-40."
        })
      }
      return yield* ReadFiles.read({ paths: all, repos, repo: input.repo, ref: input.ref }, call, (one, viewOf) =>
        readOne(one, call, viewOf)
      )
    })
  })

const readOne = Effect.fnUntraced(function* (input: OneInput, call: Call, viewOf: typeof FileView.of) {
  const repository = yield* repositoryOf(input.repo, call)
  const path = normalizePath(input.path).replace(/^(?:\.\/+)+/, "")
  const view = yield* viewOf(repository, input.ref, call)
  const target = { ...repository, path, ...(view.ref === undefined ? {} : { ref: view.ref }) }
  const source = { ...view.source, path }
  const [content, blame] = yield* Effect.all(
    [FileReader.read(target, call), input.blame === true ? readBlame(target, call) : Effect.undefined],
    { concurrency: 2 }
  )
  switch (content._tag) {
    case "File":
      return withNotes(yield* file(content, { input, target, source, blame, now: call.now }), view)
    case "Folder":
      return withNotes(folder(content.entries, source), view)
    case "Link":
      return withNotes(link(content.target, input, source), view)
    case "Submodule":
      return withNotes(submodule(content, source), view)
  }
})

const withNotes = (answer: Answer, { notes }: FileView.FileView): Answer => ({
  ...answer,
  notes: [...(answer.notes ?? []), ...notes]
})

interface Context {
  readonly input: OneInput
  readonly target: FileReader.Target
  readonly source: Answer["source"]
  readonly blame: Blame | undefined
  readonly now: number
}

const file = Effect.fnUntraced(function* (
  { bytes, size }: Extract<FileReader.Content, { readonly _tag: "File" }>,
  { blame, input, now, source, target }: Context
) {
  const isCut = bytes.length < size
  const text = FileText.decode(bytes, isCut)
  if (text === undefined) return binary(bytes, size, target, source)
  const count = text.lines.length
  if (isCut && input.lines?.trim().startsWith("-") === true)
    return yield* new ToolError({ detail: `The file is too large to read its end. Its first lines are 1 to ${count}.` })
  const range = yield* Effect.mapError(
    Effect.fromResult(LineRange.resolve(input, count)),
    (detail) => new ToolError({ detail })
  )
  const shown = text.lines.slice(range.from - 1, Math.min(range.to, range.from - 1 + MAX_LINES))
  const headings = BlameHeadings.make(blame?.ranges ?? [], range.from, now)
  const isComplete = shown.length === 1
  const items = shown.map((one, index): Item => {
    const number = range.from + index
    const { commit, heading } = headings(number)
    return {
      data: { line: number, text: one, ...(commit === undefined ? {} : { commit }) },
      text: `${number}\t${isComplete ? one : Truncation.shortenCounted(one, MAX_LINE)}`,
      ...(heading === undefined ? {} : { heading })
    }
  })
  return {
    source,
    items,
    noun: isCut ? `lines of the first ${NumberFormat.bytes(bytes.length)} of ${NumberFormat.bytes(size)}` : "lines",
    total: count,
    isLarge: range.isClosed,
    notes: [
      ...text.notes,
      ...(blame?.incomplete_results === true
        ? ["Some lines have no commit, because not all versions of the file are read. The same call reads more."]
        : [])
    ],
    isContent: true,
    next: (shown) => {
      const from = range.from + shown
      return from > range.to
        ? undefined
        : { arguments: { ...withoutLines(input), lines: `${from}-${range.isClosed ? range.to : ""}` } }
    }
  } satisfies Answer
})

const withoutLines = Struct.omit<OneInput, ["around", "lines"]>(["around", "lines"])

const readBlame = Effect.fnUntraced(function* (target: FileReader.Target, { deadline }: Call) {
  const forge = yield* Forge
  return yield* forge.history.getBlame(target, { deadline }).pipe(
    Effect.catchTag("Unsupported", () =>
      Effect.fail(
        new ToolError({
          detail: "This forge has no blame. Call read_file without blame, or list_commits with path."
        })
      )
    )
  )
})

const binary = (bytes: Uint8Array, size: number, target: FileReader.Target, source: Answer["source"]): Answer => {
  const mimeType = ResourceUri.mediaType(target.path)
  const uri = ResourceUri.contents(target)
  const isResource = size <= MAX_BINARY
  return {
    source,
    items: [],
    notes: [`A binary file, ${mimeType}, ${NumberFormat.bytes(size)}${isResource ? `: resource ${uri}` : ""}.`],
    ...(isResource ? { binary: { uri, mimeType, bytes } } : {})
  }
}

const folder = (
  entries: Extract<FileReader.Content, { readonly _tag: "Folder" }>["entries"],
  source: Answer["source"]
): Answer => ({
  ...line(
    entries
      .slice(0, MAX_NAMES)
      .map(({ name, type }) => FolderLines.quote(type === "dir" ? `${name}/` : name))
      .join(" "),
    source
  ),
  notes: [
    `A folder with ${entries.length >= MAX_ENTRIES ? "at least " : ""}${NumberFormat.quantity(entries.length, "entry", "entries")}. To list it, call list_files.`
  ]
})

const link = (target: string, input: OneInput, source: Answer["source"]): Answer => {
  const own = String(source["path"])
  const path = posix.normalize(posix.join(posix.dirname(own), target))
  const isInside = target !== "" && !posix.isAbsolute(target) && path !== ".." && !path.startsWith("../")
  return {
    ...line(target, source),
    notes: [
      !isInside
        ? "A symbolic link to a path outside of the repository."
        : path === own
          ? "A symbolic link to itself."
          : "A symbolic link."
    ],
    ...(isInside && path !== own ? { next: () => ({ arguments: { ...withoutLines(input), path } }) } : {})
  }
}

const submodule = (
  { commit, url }: Extract<FileReader.Content, { readonly _tag: "Submodule" }>,
  source: Answer["source"]
): Answer => ({ ...line(url ?? "unknown URL", source), notes: [`A submodule at commit ${commit}.`] })

const line = (text: string, source: Answer["source"]): Answer => ({ source, items: [{ data: text, text }] })
