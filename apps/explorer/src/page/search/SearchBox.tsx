import {
  type FormEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from "react"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { displayText } from "../model/displayText.ts"
import { navigate, historyState, updateHistoryState } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"
import * as QueryHighlight from "./QueryHighlight.ts"
import * as QueryToggles from "./QueryToggles.ts"
import { SearchToggles } from "./SearchToggles.tsx"
import { addRecentSearch } from "../hooks/useSearchHistory.ts"
import * as QueryLanguage from "./QueryLanguage.ts"
import { type Suggestion, useSuggestions } from "./useSuggestions.ts"

const SaveSearchButton = lazy(async () => ({
  default: (await import("../saved/SaveSearchButton.tsx")).SaveSearchButton
}))

/** Milliseconds without a key before an index search starts automatically. */
const TYPING_DELAY = 120

/** The minimum length of a query for an automatic search. */
const MIN_LENGTH = 2

/** The search box: highlights, completes and checks a query before the search. */
export const SearchBox = ({
  box,
  connection,
  earlyInput,
  onHelp,
  route
}: {
  /** Gives the text typed before React started. */
  readonly earlyInput: () => string
  readonly route: Route.Route
  readonly box: RefObject<HTMLInputElement | null>
  readonly connection: ExplorerApi.Connection | undefined
  readonly onHelp: () => void
}) => {
  const hasIndex = connection?.capabilities.index === true
  const q = Route.queryOf(route)
  const [text, setText] = useState(() => (q === "" ? withoutShortcut(earlyInput()) : q))
  const [caret, setCaret] = useState(text.length)
  const [isOpen, setIsOpen] = useState(false)
  // The key instead of the index, because suggestions may load later.
  const [activeKey, setActiveKey] = useState<string>()
  const sentQuery = useRef(q)
  const timer = useRef<number>(undefined)
  const highlight = useRef<HTMLDivElement>(null)
  /**
   * True until the first key or click in the box, which the page focuses at the start. Until then, `/` is the shortcut,
   * not text.
   */
  const isUntouched = useRef(true)
  /** The caret position to set after the next render. */
  const nextCaret = useRef<number>(undefined)

  // Takes over the query of the URL, except a query that the box has sent: the user may have typed more since.
  useEffect(() => {
    if (q === sentQuery.current) return
    sentQuery.current = q
    setText(q)
  }, [q])
  // Navigation elsewhere cancels a pending search.
  const href = Route.href(route)
  useEffect(() => () => clearTimeout(timer.current), [href])

  const problems = useMemo(
    () => (connection === undefined ? [] : QueryLanguage.problems(text, hasIndex)),
    [connection, text, hasIndex]
  )
  const parts = useMemo(() => QueryHighlight.parts(text, problems), [text, problems])
  const correction = useMemo(() => {
    const corrected = problems.length === 0 ? undefined : QueryLanguage.correction(text, hasIndex)
    return corrected === undefined ? undefined : correctionOf(corrected)
  }, [problems, text, hasIndex])
  const others = useSuggestions({ text, caret, hasIndex, isOpen })
  const suggestions = correction === undefined ? others : [correction, ...others]
  // The correction is listed as long as the problems are shown.
  const isListed = suggestions.length > 0 && (isOpen || correction !== undefined)
  const activeIndex = isListed ? suggestions.findIndex((suggestion) => keyOf(suggestion) === activeKey) : -1
  const active = suggestions[activeIndex]
  // The view of an invalid query already explains the problems.
  const isExplained = route._tag === "Search" && text === q && problems.length > 0

  const search = (text: string, replace: boolean) => {
    clearTimeout(timer.current)
    sentQuery.current = text
    const sort = route._tag === "Search" && route.sort !== undefined ? { sort: route.sort } : {}
    navigate({ _tag: "Search", q: text, ...sort }, { replace })
  }

  const searchSoon = (text: string) => {
    clearTimeout(timer.current)
    if (!hasIndex || text.trim().length < MIN_LENGTH || !QueryLanguage.canRun(text, hasIndex)) return
    timer.current = window.setTimeout(() => search(text, route._tag === "Search"), TYPING_DELAY)
  }
  // Runs a query that was typed before the connection was known.
  const searchEarlyInput = useEffectEvent(() => text !== q && searchSoon(text))
  useEffect(() => {
    if (hasIndex) searchEarlyInput()
  }, [hasIndex])

  const type = (text: string, caret: number) => {
    setText(text)
    setCaret(caret)
    setActiveKey(undefined)
    setIsOpen(true)
    // Results must not take the focus from a user who continues to type.
    if (historyState().result !== undefined) updateHistoryState({ result: undefined })
    searchSoon(text)
  }

  const accept = ({ caret, runs, text }: Suggestion) => {
    nextCaret.current = caret
    if (runs) {
      setActiveKey(undefined)
      setText(text)
      setCaret(caret)
      run(text)
    } else type(text, caret)
  }
  // Uses a layout effect, so that the next key press already inserts text at the new caret position.
  useLayoutEffect(() => {
    if (nextCaret.current !== undefined) box.current?.setSelectionRange(nextCaret.current, nextCaret.current)
    nextCaret.current = undefined
  })

  const run = (text: string) => {
    setIsOpen(false)
    // Without a connection the query language is unknown, so the results report any problem.
    if (text.trim() === "" || (connection !== undefined && !QueryLanguage.canRun(text, hasIndex))) return
    addRecentSearch(text)
    const isCurrent = route._tag === "Search" && route.q === text
    if (!isCurrent) search(text, route._tag === "Search" && route.q === sentQuery.current && hasIndex)
    if (isCurrent) focusFirstResult()
    else updateHistoryState({ result: 0 })
  }

  /** Edits the query by a toggle, and searches at once. */
  const flip = (toggle: QueryToggles.Toggle) => {
    const edited = QueryToggles.flip(text, toggle)
    if (edited.text === text) return
    if (document.activeElement === box.current) nextCaret.current = edited.caret
    setText(edited.text)
    setCaret(edited.caret)
    if (edited.text.trim().length >= MIN_LENGTH && QueryLanguage.canRun(edited.text, hasIndex)) {
      search(edited.text, route._tag === "Search")
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = active ?? correction
    if (chosen === undefined) run(text)
    else accept(chosen)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const isShortcut = event.key === "/" && isUntouched.current && text === ""
    isUntouched.current = false
    const { length } = suggestions
    const activate = (index: number) => setActiveKey(suggestions[index] && keyOf(suggestions[index]))
    if (event.key === "Escape") {
      if (isListed && isOpen) setIsOpen(false)
      else event.currentTarget.blur()
    } else if (event.key === "Tab" && isListed && !event.shiftKey && text !== "") {
      const suggestion = active ?? others[0]
      if (suggestion === undefined || suggestion.runs) return
      accept(suggestion)
    } else if (event.key === "ArrowDown" && isListed) activate((activeIndex + 1) % length)
    else if (event.key === "ArrowUp" && isListed) activate((Math.max(activeIndex, 0) + length - 1) % length)
    else if (event.key === "?" && text === "") onHelp()
    else if (isShortcut) box.current?.select()
    else if (event.key === "ArrowDown" && text === "") setIsOpen(true)
    else if (event.key === "ArrowDown" && hasIndex && text !== q && QueryLanguage.canRun(text, hasIndex)) run(text)
    else if (event.key === "ArrowDown") focusFirstResult()
    else return
    event.preventDefault()
  }

  /** Keeps the highlight behind the text, and the completions at the caret. */
  const syncCaret = () => {
    if (box.current !== null && highlight.current !== null) highlight.current.scrollLeft = box.current.scrollLeft
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
          <div ref={highlight} className="query-highlight" aria-hidden="true">
            {parts.map(({ isInvalid, kind, text }, index) => (
              <span key={index} data-kind={kind} data-invalid={isInvalid ? "" : undefined}>
                {text}
              </span>
            ))}
          </div>
          <input
            ref={box}
            // Focuses the box only on the start page: on results, keyboard shortcuts would be typed into the box.
            autoFocus={route._tag === "Home"}
            value={text}
            onChange={({ target }) => type(target.value, target.selectionStart ?? target.value.length)}
            onKeyDown={onKeyDown}
            onPointerDown={() => {
              isUntouched.current = false
            }}
            onScroll={syncCaret}
            onSelect={syncCaret}
            onBlur={() => setIsOpen(false)}
            type="text"
            role="combobox"
            aria-expanded={isListed}
            aria-controls="suggestions"
            aria-autocomplete="list"
            aria-activedescendant={active === undefined ? undefined : `suggestion-${activeIndex}`}
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
        {hasIndex && <SearchToggles box={box} text={text} isActive={route._tag === "Search"} onFlip={flip} />}
        <Suspense>
          {connection !== undefined && route._tag === "Search" && QueryLanguage.canRun(q, hasIndex) && (
            <SaveSearchButton key={q} q={q} hasIndex={hasIndex} />
          )}
        </Suspense>
      </form>
      <div className="search-popup" data-open={!isExplained && (isListed || problems.length > 0) ? "" : undefined}>
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
            suggestions.map((suggestion, index) => (
              <li
                key={keyOf(suggestion)}
                id={`suggestion-${index}`}
                role="option"
                aria-selected={suggestion === active}
                data-kind={suggestion.kind}
                // Keeps the focus in the search box.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => accept(suggestion)}
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

const correctionOf = (text: string): Suggestion => ({
  kind: "correction",
  label: text,
  detail: "corrected query ↵",
  text,
  caret: text.length,
  runs: true
})

/** Text typed before React started, without the key that focuses the box. */
const withoutShortcut = (text: string): string => (text === "/" ? "" : text)

const keyOf = ({ kind, label }: Suggestion) => `${kind} ${label}`

/** Focuses the first result, now or once loaded. Results of the previous query do not count. */
const focusFirstResult = () => {
  updateHistoryState({ result: 0 })
  document.querySelector<HTMLElement>("[aria-busy=false] [data-result]")?.focus()
}
