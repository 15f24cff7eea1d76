import { useEffect, useMemo, useRef, useState } from "react"
import type { CodeSymbol } from "@tongs/core/contract/CodeNavigation"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { displayText } from "../model/displayText.ts"
import { SymbolKindIcon } from "./SymbolKindIcon.tsx"
import { moveFocus, moveFocusByKey } from "../hooks/moveFocus.ts"

/** Maximum number of symbols listed. The filter finds the rest. */
const MAX_LISTED = 1_000

/** The symbols that a file defines, with a filter. */
export const Outline = ({
  autoFocus,
  file: { commit, owner, path, repo },
  line,
  onSelect
}: {
  readonly file: ExplorerApi.PinnedPath
  /** Whether to focus the filter: when the user opened the panel, not when the URL did. */
  readonly autoFocus: boolean
  /** The line of the caret, from 1. */
  readonly line: number
  readonly onSelect: (line: number, name: string) => void
}) => {
  const answer = ExplorerClient.useRequest(ExplorerClient.outline, { owner, repo, path, ref: commit })
  const [filter, setFilter] = useState("")
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (autoFocus) input.current?.focus()
  }, [autoFocus])
  const all = answer._tag === "Ready" ? answer.value.symbols : none
  const matching = useMemo(() => all.filter(nameIncludes(filter)), [all, filter])
  const listed = useMemo(() => matching.slice(0, MAX_LISTED), [matching])
  const current = all.findLast((symbol) => symbol.line <= line)
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" })
  }, [current])

  if (answer._tag === "Failed") return <FailureNotice {...answer} />
  return (
    <>
      <input
        type="text"
        className="filter"
        placeholder="Filter symbols"
        aria-label="Filter symbols"
        spellCheck={false}
        ref={input}
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault()
            moveFocus(list.current, 1)
          }
          if (event.key === "Enter" && listed[0] !== undefined) onSelect(listed[0].line, listed[0].name)
        }}
      />
      <p className="side-note" role="status">
        {answer._tag === "Loading" ? (
          "Loading symbols…"
        ) : all.length === 0 ? (
          "The index has no symbols of this file."
        ) : listed.length === 0 ? (
          "No matching symbols."
        ) : matching.length > MAX_LISTED ? (
          `The first ${NumberFormat.format(MAX_LISTED)} of ${NumberFormat.format(matching.length)}.`
        ) : (
          <span className="visually-hidden">{NumberFormat.quantity(listed.length, "symbol")}</span>
        )}
      </p>
      <ul ref={list} className="symbols" onKeyDown={(event) => moveFocusByKey(list.current, event)}>
        {listed.map((symbol) => (
          <li key={`${symbol.line}:${symbol.name}`} data-inner={symbol.scope === undefined ? undefined : ""}>
            <button
              type="button"
              aria-current={symbol === current ? "location" : undefined}
              onClick={() => onSelect(symbol.line, symbol.name)}
            >
              <SymbolKindIcon kind={symbol.kind} />
              <span>{displayText(symbol.name)}</span>
              <span className="dim">{symbol.line}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const none: ReadonlyArray<CodeSymbol> = []

const nameIncludes = (filter: string) => {
  const lowerCase = filter.toLowerCase()
  return ({ name }: CodeSymbol) => name.toLowerCase().includes(lowerCase)
}
