/** The blame of the line at the caret. */
import type { RefObject } from "react"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import type { EditorHandle } from "../editor/EditorHandle.ts"
import type { HoverCardContent } from "./HoverCard.tsx"

interface Card {
  readonly content: HoverCardContent
  readonly anchor: DOMRect
}

const anchorOf = (editor: RefObject<EditorHandle | null>): DOMRect =>
  editor.current?.identifierAtCaret()?.box ?? new DOMRect(innerWidth / 4, innerHeight / 3, 0, 0)

const rangeOf = (ranges: ReadonlyArray<BlameRange>, line: number | undefined): BlameRange | undefined =>
  line === undefined ? undefined : ranges.find(({ from, to }) => from <= line && line <= to)

/** Returns the card for the line at the caret from a loaded blame. Undefined for a line without a known commit. */
export const knownCardOfLine = (
  editor: RefObject<EditorHandle | null>,
  ranges: ReadonlyArray<BlameRange>
): Card | undefined => {
  const range = rangeOf(ranges, editor.current?.caret().line)
  return range === undefined ? undefined : { content: { _tag: "Blame", range }, anchor: anchorOf(editor) }
}

/** Loads the blame, and returns the card for the line at the caret. Undefined if the caret has moved. */
export const cardOfLine = async (
  editor: RefObject<EditorHandle | null>,
  { commit, owner, path, repo }: ExplorerApi.PinnedPath
): Promise<Card | undefined> => {
  const line = editor.current?.caret().line
  const anchor = anchorOf(editor)
  if (line === undefined) return undefined
  try {
    const { ranges } = await ExplorerClient.queryClient.fetchQuery(
      ExplorerClient.queryOptions(ExplorerClient.blame, { owner, repo, path, ref: commit })
    )
    const range = rangeOf(ranges, line)
    if (range === undefined || editor.current?.caret().line !== line) return undefined
    return { content: { _tag: "Blame", range }, anchor }
  } catch (error) {
    return { content: { _tag: "Failed", failure: ExplorerClient.failureOf(error) }, anchor }
  }
}
