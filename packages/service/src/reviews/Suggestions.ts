/** Suggested changes: blocks of code in review comments that replace the commented lines. */

/** The lines of a file that a suggestion replaces. */
export interface SuggestedEdit {
  /** From 1. */
  readonly first: number
  /** Inclusive. */
  readonly last: number
  readonly lines: ReadonlyArray<string>
}

/** Maximum number of blocks of a comment that are read. */
const MAX_BLOCKS = 100

/** Returns the lines of each block of a comment with the language `suggestion`. A block without lines deletes lines. */
export const parse = (body: string): ReadonlyArray<ReadonlyArray<string>> => {
  const blocks: Array<ReadonlyArray<string>> = []
  let open: { readonly fence: string; readonly isSuggestion: boolean; readonly lines: Array<string> } | undefined
  for (const line of body.split(/\r?\n/)) {
    const [, fence = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open === undefined) {
      const language = info.trim().split(/\s/, 1)[0]?.toLowerCase()
      // The language of a fence of backticks has no backtick.
      if (fence !== "" && !(fence.startsWith("`") && info.includes("`")))
        open = { fence, isSuggestion: language === "suggestion", lines: [] }
    } else if (fence.startsWith(open.fence) && info.trim() === "") {
      if (open.isSuggestion && blocks.push(open.lines) === MAX_BLOCKS) return blocks
      open = undefined
    } else open.lines.push(line)
  }
  // A block without an end reaches to the end of the text.
  return open?.isSuggestion === true ? [...blocks, open.lines] : blocks
}

/** True if two edits replace the same line. */
export const overlap = (edits: ReadonlyArray<SuggestedEdit>): boolean => {
  const sorted = edits.toSorted((a, b) => a.first - b.first)
  return sorted.some(({ first }, index) => first <= (sorted[index - 1]?.last ?? 0))
}

/**
 * Replaces lines of a text, and keeps the line ends of the replaced lines. The edits must not overlap. Undefined if the
 * text does not have all lines.
 */
export const apply = (text: string, edits: ReadonlyArray<SuggestedEdit>): string | undefined => {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  if (edits.some(({ first, last }) => first < 1 || last < first || last > lines.length)) return undefined
  const parts: Array<string> = []
  let next = 0
  for (const { first, last, lines: added } of edits.toSorted((a, b) => a.first - b.first)) {
    parts.push(...lines.slice(next, first - 1))
    const end = lines[first - 1]?.endsWith("\r\n") === true ? "\r\n" : "\n"
    const isLast = last === lines.length && lines[last - 1]?.endsWith("\n") === false
    parts.push(added.join(end), added.length === 0 || isLast ? "" : end)
    next = last
  }
  return parts.join("") + lines.slice(next).join("")
}
