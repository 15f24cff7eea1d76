/** The search box. What is wrong with a query shows while it is typed: it never leaves the page. */
import * as Result from "effect/Result"
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react"
import * as Query from "@tongs/core/query/Query"
import { shown } from "./Shown.ts"
import { go, remember } from "./useView.ts"
import * as View from "./View.ts"

/** Milliseconds without a key after which a free search runs by itself. */
const PAUSE = 180

export const SearchBox = ({
  box,
  free,
  view
}: {
  readonly view: View.View
  readonly box: RefObject<HTMLInputElement | null>
  /** Searching costs nothing: it runs while one types. */
  readonly free: boolean
}) => {
  const q = View.queryOf(view)
  const [text, setText] = useState(q)
  const sent = useRef(q)
  const timer = useRef<number>(undefined)

  // The box follows the address bar, but not its own searches: one may be typing on already.
  useEffect(() => {
    if (q === sent.current) return
    sent.current = q
    setText(q)
  }, [q])
  // Whoever goes elsewhere before the pause is over does not want to be fetched back.
  const place = View.print(view)
  useEffect(() => () => clearTimeout(timer.current), [place])

  const parsed = text.trim() === "" ? undefined : Query.parse(text)
  const problems = parsed !== undefined && Result.isFailure(parsed) ? parsed.failure : []

  const search = (text: string, replace: boolean) => {
    clearTimeout(timer.current)
    sent.current = text
    go({ _tag: "Search", q: text }, { replace })
  }

  const type = (text: string) => {
    setText(text)
    clearTimeout(timer.current)
    if (!free || text.trim().length < 2 || Result.isFailure(Query.parse(text))) return
    timer.current = window.setTimeout(() => search(text, view._tag === "Search"), PAUSE)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (parsed === undefined || problems.length > 0) return
    const isHere = view._tag === "Search" && view.q === text
    if (!isHere) search(text, false)
    // The first result takes the focus once it is there.
    remember({ hit: 0 })
    if (isHere) focusResults()
  }

  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") event.currentTarget.blur()
    else if (event.key === "ArrowDown") focusResults()
    else return
    event.preventDefault()
  }

  return (
    <search className="search">
      <form onSubmit={submit}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="8.5" cy="8.5" r="5.5" />
          <path d="m13 13 4.5 4.5" />
        </svg>
        <input
          ref={box}
          autoFocus={view._tag === "Home" || view._tag === "Search"}
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={keys}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={Query.MAX_TEXT}
          placeholder="Search the code"
          aria-label="Search the code"
          aria-invalid={problems.length > 0}
          aria-describedby="problems"
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      <div id="problems" className="problems" role="status">
        {problems.map(({ length, message, start }) => (
          <p key={`${start} ${message}`}>
            {length > 0 && length < text.length && <code>{shown(text.slice(start, start + length))}</code>} {message}
          </p>
        ))}
      </div>
    </search>
  )
}

const focusResults = () => document.querySelector<HTMLElement>("[data-hit]")?.focus()
