/** Differences of planned files as items: a line for each file, and the changed lines of edited files. */
import { structuredPatch } from "diff"
import type { Item } from "../answer/Answer.ts"
import * as FileText from "../files/FileText.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"
import * as TextChunks from "../text/TextChunks.ts"
import type { PlannedFile } from "./FilePlan.ts"

/** Maximum number of changed lines of a file whose difference is computed. */
const MAX_CHANGED = 1_000

/** Maximum tokens of all shown differences. Further files have no changed lines. */
const MAX_TOKENS = 1_000

/** The differences of a commit. */
export interface Patches {
  readonly items: ReadonlyArray<Item>
  /** True if a difference is shown in part or not at all. */
  readonly isCut: boolean
  /** True if an item has lines of a file. Otherwise the items have only the paths of the caller. */
  readonly hasText: boolean
}

/** Returns an item for each file. New files have no patch, because the caller has sent the text. */
export const make = (files: ReadonlyArray<PlannedFile>): Patches => {
  let tokens = 0
  let isCut = false
  let hasText = false
  const items = files.map((file): Item => {
    const { from, path } = file
    const status = statusOf(file)
    const { additions, deletions, patch } = difference(file)
    const [shown, ...rest] = patch === undefined || tokens > MAX_TOKENS ? [] : TextChunks.split(patch)
    tokens += shown === undefined ? 0 : estimateTokens(shown)
    hasText ||= shown !== undefined
    isCut ||= rest.length > 0 || (shown === undefined && status === "modified" && patch !== undefined)
    const parts = [
      path,
      status === "modified" ? "" : status === "renamed" ? `renamed from ${from ?? ""}` : status,
      additions > 0 ? `+${additions}` : "",
      deletions > 0 ? `-${deletions}` : ""
    ]
    const line = parts.filter((part) => part !== "").join(" ")
    return {
      data: {
        path,
        status,
        ...(from === undefined ? {} : { from }),
        additions,
        deletions,
        ...(shown === undefined ? {} : { patch: shown })
      },
      text: [line, ...(shown === undefined ? [] : [shown])].join("\n")
    }
  })
  return { items, isCut, hasText }
}

const statusOf = ({ after, before, from }: PlannedFile) => {
  if (after === undefined) return "removed"
  if (before === undefined) return "added"
  return from === undefined ? "modified" : "renamed"
}

interface Difference {
  readonly additions: number
  readonly deletions: number
  readonly patch: string | undefined
}

/** Returns the changed lines of a file. The lines of a binary file are not counted. */
const difference = ({ after, before }: PlannedFile): Difference => {
  const none = { additions: 0, deletions: 0, patch: undefined }
  const text = after?.bytes === undefined ? undefined : FileText.decodeText(after.bytes, false)?.text
  if (text === undefined) return none
  if (before === undefined) return { ...none, additions: text === "" ? 0 : text.replace(/\n$/, "").split("\n").length }
  const old = before.bytes === undefined ? undefined : FileText.decodeText(before.bytes, false)?.text
  if (old === undefined) return none
  const isCrLf = old.includes("\r\n") && text.includes("\r\n")
  const found = structuredPatch("", "", old, text, "", "", {
    context: 0,
    maxEditLength: MAX_CHANGED,
    stripTrailingCr: isCrLf
  })
  if (found === undefined) return { ...none, patch: "Too many lines differ." }
  const lines = found.hunks.flatMap((hunk) => hunk.lines)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  const patch = found.hunks
    .map(({ lines, newLines, newStart, oldLines, oldStart }) =>
      [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines].join("\n")
    )
    .join("\n")
  return { additions: count("+"), deletions: count("-"), patch: patch === "" ? undefined : patch }
}

const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`)
