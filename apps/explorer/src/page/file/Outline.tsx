/** The names that a file defines, to filter and to jump to. */
import { useEffect, useMemo, useRef, useState } from "react"
import type { Symbol } from "@tongs/core/explore/Explore"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { displayText } from "../model/displayText.ts"
import { SymbolKindIcon } from "./SymbolKindIcon.tsx"
import { moveFocus, moveFocusByKey } from "../hooks/moveFocus.ts"

/** Names that are drawn. A reader of more filters. */
const MAX_SHOWN = 1_000

export const Outline = ({
  file: { commit, owner, path, repo },
  focus,
  go,
  line
}: {
  readonly file: Wire.Pinned
  /** Whether the reader asked for it now, and can go on typing. */
  readonly focus: boolean
  /** Where the reader is, from 1. */
  readonly line: number
  readonly go: (line: number, name: string) => void
}) => {
  const answer = Api.useAnswer(Api.symbols, { owner, repo, path, ref: commit })
  const [words, setWords] = useState("")
  const box = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (focus) box.current?.focus()
  }, [focus])
  const all = answer._tag === "Ready" ? answer.value.symbols : none
  const matching = useMemo(() => all.filter(isNamed(words)), [all, words])
  const found = useMemo(() => matching.slice(0, MAX_SHOWN), [matching])
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
        ref={box}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault()
            moveFocus(list.current, 1)
          }
          if (event.key === "Enter" && found[0] !== undefined) go(found[0].line, found[0].name)
        }}
      />
      <p className="side-note" role="status">
        {answer._tag === "Loading" ? (
          "Looking for definitions…"
        ) : all.length === 0 ? (
          "This file defines nothing that the index knows of."
        ) : found.length === 0 ? (
          "No such name here."
        ) : matching.length > MAX_SHOWN ? (
          `The first ${NumberFormat.format(MAX_SHOWN)} of ${NumberFormat.format(matching.length)}.`
        ) : (
          <span className="unseen">{NumberFormat.quantity(found.length, "symbol")}</span>
        )}
      </p>
      <ul ref={list} className="symbols" onKeyDown={(event) => moveFocusByKey(list.current, event)}>
        {found.map((symbol) => (
          <li key={`${symbol.line}:${symbol.name}`} data-inner={symbol.scope === undefined ? undefined : ""}>
            <button
              type="button"
              aria-current={symbol === current ? "location" : undefined}
              onClick={() => go(symbol.line, symbol.name)}
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

const none: ReadonlyArray<Symbol> = []

const isNamed = (words: string) => {
  const wanted = words.toLowerCase()
  return ({ name }: Symbol) => name.toLowerCase().includes(wanted)
}
