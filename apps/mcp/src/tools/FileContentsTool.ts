/** `file_contents`: a file as text, a part of it where it is long, or what is in a folder. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry } from "@tongs/core/contract/Catalog"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import * as Compaction from "../output/Compaction.ts"
import * as ListResult from "./ListResult.ts"
import { sanitizeText, sanitizeValue } from "../output/SafeText.ts"
import * as TokenEstimate from "../output/TokenEstimate.ts"
import { pathOf, type RepositoryName, repositoryOf, repositoryProperties, type Tool, ToolError } from "./Tool.ts"

export const make = ({ operation, tool }: Entry, here: RepositoryName | undefined): Tool => ({
  name: tool,
  operation,
  description: [
    "Read a file of a repository as text, or list a folder. Of a long file, the first part comes; next_start_line says",
    "where to go on. The first text of the answer describes the file, the second is its content."
  ].join(" "),
  properties: {
    ...repositoryProperties(here),
    path: { type: "string", description: "File or folder, from the root; nothing for the root itself." },
    ref: { type: "string", description: "Branch, tag or commit; the default branch without it." },
    start_line: { type: "integer", minimum: 1, description: "First line to read, from 1." },
    end_line: { type: "integer", minimum: 1, description: "Last line to read." },
    cursor: { type: "string", description: "nextCursor of the last answer about a folder." }
  },
  required: here === undefined ? ["owner", "repo"] : [],
  run: Effect.fnUntraced(function* (input, { cursors, deadline }) {
    const forge = yield* Forge
    const { owner = "", repo = "" } = repositoryOf(input, here)
    const path = pathOf(input)
    const found = yield* forge.contents.get(
      { owner, repo, path, ...(typeof input.ref === "string" ? { ref: input.ref } : {}) },
      { deadline }
    )
    if ("type" in found) return yield* file(found, input)
    return [yield* ListResult.readPage(input, cursors, () => Effect.succeed(ListResult.singlePage(found)), show)]
  })
})

const show = ({ path, size, type }: ContentEntry) => ({ path, type, ...(type === "file" ? { size } : {}) })

const file = Effect.fnUntraced(function* (entry: ContentEntry, input: Readonly<Record<string, unknown>>) {
  const about = { path: entry.path, type: entry.type, sha: entry.sha, size: entry.size }
  if (entry.content === undefined || entry.encoding !== "base64") {
    const { submodule_git_url, target } = entry
    const note =
      entry.type === "file" ? "Too large: the forge gives no content of it here. Only a clone has it." : undefined
    return [Compaction.toJson(sanitizeValue({ ...about, target, submodule: submodule_git_url ?? undefined, note }))]
  }
  const bytes = Buffer.from(entry.content, "base64")
  if (Compaction.isBinary(bytes)) return [Compaction.toJson(sanitizeValue({ ...about, binary: true }))]
  const lines = bytes.toString("utf8").replace(/\n$/, "").split("\n")
  const start = typeof input.start_line === "number" ? input.start_line : 1
  const end = Math.min(lines.length, typeof input.end_line === "number" ? input.end_line : lines.length)
  if (start < 1 || start > end) {
    return yield* new ToolError({
      detail: `The file has lines 1 to ${lines.length}: begin and end within them, and do not end before you begin.`
    })
  }
  const { shown, text } = part(lines.slice(start - 1, end))
  const last = start + shown - 1
  return [
    JSON.stringify(
      sanitizeValue({
        ...about,
        lines: lines.length,
        start_line: start,
        end_line: last,
        ...(last < end ? { next_start_line: last + 1 } : {})
      })
    ),
    text
  ]
})

/** Tokens of an answer that describe the file. */
const DESCRIPTION = 500

const MAX_TEXT = TokenEstimate.MAX_TOKENS - DESCRIPTION

/** As many lines as one answer holds; of a single line that is longer, its beginning. */
const part = (lines: ReadonlyArray<string>): { readonly text: string; readonly shown: number } => {
  const kept: Array<string> = []
  let tokens = 0
  for (const line of lines) {
    const visible = sanitizeText(line)
    tokens += TokenEstimate.estimateTokens(`${visible}\n`, MAX_TEXT)
    if (tokens > MAX_TEXT && kept.length > 0) break
    const shown = tokens > MAX_TEXT ? TokenEstimate.tokenPrefix(visible, MAX_TEXT) : visible
    kept.push(shown.length < visible.length ? `${shown}… (${visible.length - shown.length} more characters)` : visible)
  }
  return { text: kept.join("\n"), shown: kept.length }
}
