/** The search box. It colours a query, completes it, and says what is wrong with it, before anything is sent. */
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from "react"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type * as Wire from "../../Wire.ts"
import { displayText } from "../model/displayText.ts"
import { navigate, historyState, updateHistoryState } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"
import * as QueryHighlight from "./QueryHighlight.ts"
import { addRecentSearch } from "../hooks/useSearchHistory.ts"
import * as QueryLanguage from "./QueryLanguage.ts"
import { type Suggestion, useSuggestions } from "./useSuggestions.ts"

/** Milliseconds without a key after which a free search runs by itself. */
const PAUSE = 120

/** Characters from which on it does. */
const MIN = 2

export const SearchBox = ({
  box,
  connection,
  early,
  view
}: {
  readonly early: () => string
  readonly view: Route.Route
  readonly box: RefObject<HTMLInputElement | null>
  readonly connection: Wire.Connection | undefined
}) => {
  const hasIndex = connection?.capabilities.index === true
  const q = Route.queryOf(view)
  const [text, setText] = useState(() => (q === "" ? early() : q))
  const [caret, setCaret] = useState(text.length)
  const [isOpen, setIsOpen] = useState(false)
  // By what it is, not by where it stands: more of them may come in.
  const [active, setActive] = useState<string>()
  const sent = useRef(q)
  const timer = useRef<number>(undefined)
  const colours = useRef<HTMLDivElement>(null)
  /** Where the caret is to be put. */
  const placed = useRef<number>(undefined)

  // The box follows the address bar, but not its own searches: one may be typing on already.
  useEffect(() => {
    if (q === sent.current) return
    sent.current = q
    setText(q)
  }, [q])
  // Whoever goes elsewhere before the pause is over does not want to be fetched back.
  const place = Route.href(view)
  useEffect(() => () => clearTimeout(timer.current), [place])

  const problems = useMemo(
    () => (connection === undefined ? [] : QueryLanguage.problems(text, hasIndex)),
    [connection, text, hasIndex]
  )
  const parts = useMemo(() => QueryHighlight.parts(text, problems), [text, problems])
  const suggestions = useSuggestions({ text, caret, hasIndex, isWanted: isOpen })
  const isListed = isOpen && suggestions.length > 0
  const at = isListed ? suggestions.findIndex((one) => nameOf(one) === active) : -1
  const chosen = suggestions[at]

  const search = (text: string, replace: boolean) => {
    clearTimeout(timer.current)
    sent.current = text
    const order = view._tag === "Search" && view.sort !== undefined ? { sort: view.sort } : {}
    navigate({ _tag: "Search", q: text, ...order }, { replace })
  }

  const searchSoon = (text: string) => {
    clearTimeout(timer.current)
    if (!hasIndex || text.trim().length < MIN || !QueryLanguage.canRun(text, hasIndex)) return
    timer.current = window.setTimeout(() => search(text, view._tag === "Search"), PAUSE)
  }
  // What was typed before it was known whether there is an index waits for that.
  const searchTyped = useEffectEvent(() => text !== q && searchSoon(text))
  useEffect(() => {
    if (hasIndex) searchTyped()
  }, [hasIndex])

  const type = (text: string, caret: number) => {
    setText(text)
    setCaret(caret)
    setActive(undefined)
    setIsOpen(true)
    // Whoever types on is not led away by the results that they began.
    if (historyState().result !== undefined) updateHistoryState({ result: undefined })
    searchSoon(text)
  }

  const take = ({ caret, runs, text }: Suggestion) => {
    placed.current = caret
    if (runs) {
      setActive(undefined)
      setText(text)
      setCaret(caret)
      run(text)
    } else type(text, caret)
  }
  // As soon as the text is there: the next letter belongs behind the caret.
  useLayoutEffect(() => {
    if (placed.current !== undefined) box.current?.setSelectionRange(placed.current, placed.current)
    placed.current = undefined
  })

  const run = (text: string) => {
    setIsOpen(false)
    // Before it is known which language the forge has, the results say what is wrong.
    if (text.trim() === "" || (connection !== undefined && !QueryLanguage.canRun(text, hasIndex))) return
    addRecentSearch(text)
    const isHere = view._tag === "Search" && view.q === text
    if (!isHere) search(text, view._tag === "Search" && view.q === sent.current && hasIndex)
    if (isHere) toResults()
    else updateHistoryState({ result: 0 })
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen === undefined) run(text)
    else take(chosen)
  }

  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const { length } = suggestions
    const choose = (at: number) => setActive(suggestions[at] && nameOf(suggestions[at]))
    if (event.key === "Escape") {
      if (isListed) setIsOpen(false)
      else event.currentTarget.blur()
    } else if (event.key === "Tab" && isListed && !event.shiftKey && text !== "") {
      const one = chosen ?? suggestions[0]
      if (one === undefined || one.runs) return
      take(one)
    } else if (event.key === "ArrowDown" && isListed) choose((at + 1) % length)
    else if (event.key === "ArrowUp" && isListed) choose((Math.max(at, 0) + length - 1) % length)
    else if (event.key === "ArrowDown" && text === "") setIsOpen(true)
    else if (event.key === "ArrowDown" && hasIndex && text !== q && QueryLanguage.canRun(text, hasIndex)) run(text)
    else if (event.key === "ArrowDown") toResults()
    else return
    event.preventDefault()
  }

  const follow = () => {
    if (box.current !== null && colours.current !== null) colours.current.scrollLeft = box.current.scrollLeft
    setCaret(box.current?.selectionStart ?? text.length)
  }

  return (
    <search className="search">
      <form onSubmit={submit}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="8.5" cy="8.5" r="5.5" />
          <path d="m13 13 4.5 4.5" />
        </svg>
        <div className="field">
          <div ref={colours} className="colours" aria-hidden="true">
            {parts.map(({ isWrong, kind, text }, at) => (
              <span key={at} data-kind={kind} data-wrong={isWrong ? "" : undefined}>
                {text}
              </span>
            ))}
          </div>
          <input
            ref={box}
            autoFocus={view._tag === "Home" || view._tag === "Search"}
            value={text}
            onChange={({ target }) => type(target.value, target.selectionStart ?? target.value.length)}
            onKeyDown={keys}
            onScroll={follow}
            onSelect={follow}
            onBlur={() => setIsOpen(false)}
            type="text"
            role="combobox"
            aria-expanded={isListed}
            aria-controls="suggestions"
            aria-autocomplete="list"
            aria-activedescendant={chosen === undefined ? undefined : `suggestion-${at}`}
            enterKeyHint="search"
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={SearchQuery.MAX_TEXT}
            placeholder="Search the code"
            aria-label="Search the code"
            aria-invalid={problems.length > 0}
            aria-describedby="problems"
          />
        </div>
        <kbd aria-hidden="true">/</kbd>
      </form>
      <div className="below" data-open={isListed || problems.length > 0 ? "" : undefined}>
        <div id="problems" className="problems" role="status">
          {problems.map(({ length, message, start }) => (
            <p key={`${start} ${message}`}>
              {length > 0 && length < text.length && <code>{displayText(text.slice(start, start + length))}</code>}{" "}
              {message}
            </p>
          ))}
        </div>
        <ul id="suggestions" role="listbox" aria-label="Suggestions" hidden={!isListed}>
          {isListed &&
            suggestions.map((suggestion, at) => (
              <li
                key={nameOf(suggestion)}
                id={`suggestion-${at}`}
                role="option"
                aria-selected={suggestion === chosen}
                data-kind={suggestion.kind}
                // The box keeps the focus.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => take(suggestion)}
              >
                <code>{displayText(suggestion.label)}</code>
                <span className="dim">{suggestion.detail}</span>
              </li>
            ))}
        </ul>
      </div>
    </search>
  )
}

const nameOf = ({ kind, label }: Suggestion) => `${kind} ${label}`

/** To the first result: at once, or when it is there. Those of the search before are none. */
const toResults = () => {
  updateHistoryState({ result: 0 })
  document.querySelector<HTMLElement>("[aria-busy=false] [data-hit]")?.focus()
}
