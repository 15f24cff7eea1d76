/** The tool `file_contents`: a file as text, in parts if it is long, or the files and folders of a folder. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import * as Compaction from "../output/Compaction.ts"
import { sanitizeText, sanitizeValue } from "../output/SafeText.ts"
import * as TokenEstimate from "../output/TokenEstimate.ts"
import * as Truncation from "../output/Truncation.ts"
import * as ListResult from "./ListResult.ts"
import {
  pathOf,
  type RepositoryName,
  repositoryOf,
  repositoryParameters,
  requiredRepository,
  type Tool,
  ToolError
} from "./Tool.ts"

/** Creates the tool for the operation `contents.get`. */
export const make = ({ operation, tool }: CatalogEntry, defaultRepository: RepositoryName | undefined): Tool => ({
  name: tool,
  operation,
  description: [
    "Read a file of a repository as text, or list a folder. A long file comes in parts: next_start_line is the first line",
    "of the next part. The first text of the result describes the file, the second is its content."
  ].join(" "),
  properties: {
    ...repositoryParameters(defaultRepository),
    path: { type: "string", description: "File or folder, relative to the root. Default: the root." },
    ref: { type: "string", description: "Branch, tag or commit. Default: the default branch." },
    start_line: { type: "integer", minimum: 1, description: "First line to read, from 1." },
    end_line: { type: "integer", minimum: 1, description: "Last line to read." },
    cursor: { type: "string", description: "For a folder: nextCursor of the previous result." }
  },
  required: requiredRepository(defaultRepository),
  run: Effect.fnUntraced(function* (input, { cursors, deadline }) {
    const forge = yield* Forge
    const { owner = "", repo = "" } = repositoryOf(input, defaultRepository)
    const path = pathOf(input)
    const content = yield* forge.contents.get(
      { owner, repo, path, ...(typeof input.ref === "string" ? { ref: input.ref } : {}) },
      { deadline }
    )
    if ("type" in content) return yield* file(content, input)
    return [yield* ListResult.readPage(input, cursors, () => Effect.succeed(ListResult.singlePage(content)), showEntry)]
  })
})

const showEntry = ({ path, size, type }: ContentEntry) => ({ path, type, ...(type === "file" ? { size } : {}) })

const file = Effect.fnUntraced(function* (entry: ContentEntry, input: Readonly<Record<string, unknown>>) {
  const description = { path: entry.path, type: entry.type, sha: entry.sha, size: entry.size }
  if (entry.content === undefined || entry.encoding !== "base64") {
    const { submodule_git_url, target } = entry
    const note =
      entry.type === "file"
        ? "Too large: the forge does not return its content. Clone the repository to read it."
        : undefined
    return [
      Truncation.toJson(sanitizeValue({ ...description, target, submodule: submodule_git_url ?? undefined, note }))
    ]
  }
  const bytes = Buffer.from(entry.content, "base64")
  if (Compaction.isBinary(bytes)) return [Truncation.toJson(sanitizeValue({ ...description, binary: true }))]
  const lines = bytes.toString("utf8").replace(/\n$/, "").split("\n")
  const start = typeof input.start_line === "number" ? input.start_line : 1
  const end = Math.min(lines.length, typeof input.end_line === "number" ? input.end_line : lines.length)
  if (start < 1 || start > end) {
    return yield* new ToolError({
      detail: `Invalid range: the file has lines 1 to ${lines.length}, and start_line cannot be after end_line.`
    })
  }
  const { count, text } = firstPart(lines.slice(start - 1, end))
  const last = start + count - 1
  return [
    JSON.stringify(
      sanitizeValue({
        ...description,
        lines: lines.length,
        start_line: start,
        end_line: last,
        ...(last < end ? { next_start_line: last + 1 } : {})
      })
    ),
    text
  ]
})

/** Tokens reserved for the text block that describes the file. */
const DESCRIPTION_TOKENS = 500

const MAX_TEXT_TOKENS = Truncation.MAX_RESULT_TOKENS - DESCRIPTION_TOKENS

/** Returns as many lines as fit into one tool result. Truncates the first line if it does not fit. */
const firstPart = (lines: ReadonlyArray<string>): { readonly text: string; readonly count: number } => {
  const shown: Array<string> = []
  let tokens = 0
  for (const line of lines) {
    const visible = sanitizeText(line)
    tokens += TokenEstimate.estimateTokens(`${visible}\n`, MAX_TEXT_TOKENS)
    if (tokens > MAX_TEXT_TOKENS && shown.length > 0) break
    shown.push(tokens > MAX_TEXT_TOKENS ? Truncation.truncateText(visible, MAX_TEXT_TOKENS) : visible)
  }
  return { text: shown.join("\n"), count: shown.length }
}
