import { memo, type ReactNode } from "react"
import type * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import { highlight } from "../components/HighlightedText.tsx"
import { useFrameBudget } from "../hooks/useFrameBudget.ts"
import type { DiffLine as LinePosition } from "../model/DiffRoute.ts"
import * as TextSegments from "../syntax/TextSegments.ts"
import { ROW } from "./DiffItems.ts"
import { changedWords } from "./ChangedWords.ts"
import { type ChangedBlock, type Chunk, type DiffRow, hasLine, type Layout, type SyntaxText } from "./DiffRows.ts"
import type { DiffLine } from "./Patch.ts"
import { useSyntaxText } from "./useSyntaxText.ts"

/** Maximum number of UTF-16 units shown of a line: a browser takes seconds to wrap a million. */
const MAX_SHOWN = 5_000

interface Props {
  readonly chunk: Chunk
  readonly file: number
  readonly path: string
  readonly layout: Layout
  readonly blocks: ReadonlyMap<DiffLine, ChangedBlock>
  readonly selected: LinePosition | undefined
  /** The URL of the file. A link to a line adds the fragment of the line. */
  readonly href: string
}

/** A few rows of a diff. Reserves the height until the frame's budget allows rendering the rows. */
export const DiffChunk = memo((props: Props) => {
  const { chunk, layout } = props
  const isReady = useFrameBudget(chunk.rows.length * (layout === "split" ? 2 : 1))
  return isReady ? <Rows {...props} /> : <div style={{ height: `${chunk.rows.length * ROW}rem` }} />
})
DiffChunk.displayName = "DiffChunk"

const Rows = ({ blocks, chunk, file, href, layout, path, selected }: Props) => {
  const tokens = { old: useSyntaxText(path, chunk.old), new: useSyntaxText(path, chunk.new) }
  const cell = (line: DiffLine | undefined, side: Side) => code(line, chunk[side], tokens[side], blocks)
  return chunk.rows.map((row, index) => {
    const { left, right } = row
    const line = right ?? left
    const id = row.change === undefined ? undefined : `change-${file}-${row.change}`
    if (layout === "unified") {
      return (
        <div
          key={index}
          id={id}
          className="diff-line"
          tabIndex={-1}
          data-kind={line?.kind}
          data-chosen={isChosen(row, selected)}
        >
          {number(left, "old", href)}
          {number(right, "new", href)}
          {cell(line, right === undefined ? "old" : "new")}
        </div>
      )
    }
    return (
      <div key={index} id={id} className="diff-line" tabIndex={-1} data-chosen={isChosen(row, selected)}>
        <div className="diff-side" data-side="left" data-kind={left?.kind ?? "none"}>
          {number(left, "old", href)}
          {cell(left, "old")}
        </div>
        <div className="diff-side" data-side="right" data-kind={right?.kind ?? "none"}>
          {number(right, "new", href)}
          {cell(right, "new")}
        </div>
      </div>
    )
  })
}

type Side = "new" | "old"

const isChosen = (row: DiffRow, selected: LinePosition | undefined): true | undefined =>
  (selected !== undefined && hasLine(row, selected)) || undefined

// Functions instead of components: a window has hundreds of numbers and lines, which render only together.

/** A line number, as generated content, so that copied code has no numbers. The list handles clicks. */
const number = (line: DiffLine | undefined, side: Side, href: string): ReactNode => {
  const number = line?.[side]
  if (number === undefined) return <span className="diff-number" />
  return (
    <a
      className="diff-number"
      tabIndex={-1}
      href={`${href}#${side === "old" ? "L" : "R"}${number}`}
      data-line={number}
      aria-label={`Line ${number} ${side === "old" ? "before" : "after"}`}
    />
  )
}

const code = (
  line: DiffLine | undefined,
  source: SyntaxText,
  tokens: SyntaxTokens.SyntaxTokens,
  blocks: ReadonlyMap<DiffLine, ChangedBlock>
): ReactNode => {
  if (line === undefined) return <code />
  const { hasNoNewline, kind } = line
  const block = blocks.get(line)
  const text = line.text.slice(0, MAX_SHOWN)
  const start = source.starts.get(line) ?? 0
  return (
    <code>
      {kind !== "context" && (
        <span className="diff-sign">
          <span aria-hidden="true" data-sign={kind === "added" ? "+" : "−"} />
          <span className="visually-hidden">{kind === "added" ? "Added: " : "Removed: "}</span>
        </span>
      )}
      {highlight({
        text,
        tokens: TextSegments.clipTokens(tokens, start, start + text.length),
        matches: block === undefined || text.length < line.text.length ? none : changedWords(line, block)
      })}
      {text.length < line.text.length && (
        <span className="cut"> {line.text.length - text.length} more characters are not shown</span>
      )}
      {hasNoNewline && <span className="diff-note">no newline at the end</span>}
    </code>
  )
}

const none: ReadonlyArray<never> = []
