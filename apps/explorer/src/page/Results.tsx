/** What a search found, grouped by repository and file. */
import { useEffect, useState } from "react"
import * as Count from "@tongs/core/text/Count"
import type { SearchPage } from "../Wire.ts"
import * as Api from "./Api.ts"
import { FailureNote } from "./FailureNote.tsx"
import { HitCard } from "./HitCard.tsx"
import { Notice } from "./Notice.tsx"
import { shown } from "./Shown.ts"
import { Skeleton } from "./Skeleton.tsx"
import { useKeys } from "./useKeys.ts"
import { memory, remember } from "./useView.ts"

/** Results that a search gives at most, on all pages together (`spec/3 §4.12`). */
const MAX_RESULTS = 1_000

export const Results = ({ q }: { readonly q: string }) => {
  const [state, setState] = useState({ q, pages: memory().pages ?? 1 })
  const pages = state.q === q ? state.pages : (memory().pages ?? 1)
  const { answer, found } = useSearch(q, pages)
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    o: () => focused()?.matches("a") && window.open(focused()?.getAttribute("href") ?? "", "_blank", "noopener")
  })

  // The result that was opened, or the first one of a search that Enter began, takes the focus when it is there.
  const first = found[0]
  useEffect(() => {
    const hit = memory().hit
    if (first === undefined || hit === undefined) return
    document.querySelector<HTMLElement>(`[data-hit="${hit}"]`)?.focus()
  }, [q, first])

  // While the next search runs, the results of the one before stay, dimmed: typing does not flicker.
  const [kept, setKept] = useState(found)
  if (found.length > 0 && kept !== found && kept.at(-1) !== found.at(-1)) setKept(found)
  const shownPages = found.length > 0 ? found : kept
  const isStale = found.length === 0

  if (isStale && answer._tag === "Failed") return <FailureNote {...answer} />
  if (shownPages.length === 0)
    return <Skeleton rows={6} slow={answer._tag === "Loading" && answer.slow} what="Searching" />
  const last = shownPages.at(-1)
  const hits = shownPages.flatMap((page) => page.hits)

  const more = () => {
    const pages = found.length + 1
    setState({ q, pages })
    remember({ pages })
  }

  return (
    <div className="results" aria-busy={isStale} data-stale={isStale}>
      <div className="summary" role="status">
        <h1>
          <strong>{last?.total === 0 ? "No file" : Count.noun(last?.total ?? 0, "file")}</strong> with <q>{shown(q)}</q>
        </h1>
        {last?.incomplete === true && (
          <p className="warn">
            Incomplete: the time for this search ran out. Narrow it with a qualifier, as <code>repo:</code> or{" "}
            <code>path:</code>.
          </p>
        )}
        {(last?.total ?? 0) > MAX_RESULTS && <p className="dim">The first {Count.format(MAX_RESULTS)} can be shown.</p>}
      </div>
      {hits.length === 0 && <Nothing />}
      {groups(hits).map(({ hits, name }) => (
        <section key={name} className="group" aria-label={shown(name)}>
          <h2>
            {shown(name)} <span className="dim">{Count.noun(hits.length, "file")}</span>
          </h2>
          {hits.map(({ hit, number }) => (
            <HitCard key={number} hit={hit} number={number} q={q} />
          ))}
        </section>
      ))}
      {!isStale && answer._tag === "Failed" && <FailureNote {...answer} />}
      {!isStale && last !== undefined && last.next !== null && answer._tag !== "Failed" && (
        <button type="button" className="more" onClick={more} disabled={answer._tag === "Loading"}>
          {answer._tag === "Loading" ? "Loading…" : "More results"}
        </button>
      )}
    </div>
  )
}

/** The first pages of a search, one after the other, up to `wanted` of them; and how the one after them is doing. */
const useSearch = (q: string, wanted: number) => {
  const found: Array<SearchPage> = []
  let number: number | null = 1
  while (number !== null && found.length < wanted) {
    const page: SearchPage | undefined = Api.client.getQueryData<SearchPage>(Api.key(Api.search, { q, page: number }))
    if (page === undefined) break
    found.push(page)
    number = page.next
  }
  const isDone = number === null || found.length >= wanted
  const loading = Api.useAnswer(Api.search, isDone ? undefined : { q, page: number ?? 1 })
  const answer: Api.Answer<unknown> = isDone ? { _tag: "Ready", value: undefined } : loading
  return { found, answer }
}

/** By repository, in the order in which each first comes. */
const groups = (hits: SearchPage["hits"]) => {
  const all = Map.groupBy(
    hits.map((hit, number) => ({ hit, number })),
    ({ hit }) => `${hit.owner}/${hit.repo}`
  )
  return Array.from(all, ([name, hits]) => ({ name, hits }))
}

const focused = () => document.activeElement?.closest<HTMLElement>("[data-hit]")

/** Moves the focus to the result before or after. */
const step = (by: 1 | -1) => {
  const all = Array.from(document.querySelectorAll<HTMLElement>("[data-hit], .more:not(:disabled)"))
  const at = all.findIndex((element) => element === document.activeElement)
  const next = all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]
  next?.focus({ preventScroll: true })
  next?.closest("article, button")?.scrollIntoView({ block: "nearest" })
}

const Nothing = () => (
  <Notice title="Nothing found">
    <ul>
      <li>Try a shorter word, or another one.</li>
      <li>
        Leave out a qualifier, or spell it as in <code>language:typescript</code>.
      </li>
      <li>Only default branches are searched, and only files below 384 KB.</li>
    </ul>
  </Notice>
)
