/** What the results have in common, counted, to narrow them by: each is a qualifier of the query, put in or taken out. */
import { useState } from "react"
import type * as Explore from "@tongs/core/explore/Explore"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import * as QueryRefinements from "./QueryRefinements.ts"

export interface Props {
  readonly view: Route.Search
  readonly facets: Explore.Facets
  /** They count only what is shown. */
  readonly isPartial: boolean
}

/** Values of a facet that are shown until more are asked for. */
const FEW = 6

export const Facets = (props: Props) => (
  <aside className="facets" aria-label="Narrow the results">
    <FacetGroups {...props} />
  </aside>
)

export const FacetGroups = ({ facets, isPartial, view }: Props) => {
  const refine = (q: string) => navigate({ ...view, q })
  const refinements = QueryRefinements.all(view.q)
  return (
    <>
      {GROUPS.map(({ name, title }) => (
        <Group
          key={name}
          title={title}
          counted={facets[name]}
          chosen={refinements.filter((one) => one.name === name)}
          onAdd={(value, not) => refine(QueryRefinements.add(view.q, { name, value, not }))}
          onRemove={(refinement) => refine(QueryRefinements.remove(view.q, refinement))}
        />
      ))}
      <Kinds view={view} counted={facets.symbol} />
      {isPartial && facets.repo.length > 0 && <p className="dim small">Counted in the results shown.</p>}
    </>
  )
}

const GROUPS = [
  { name: "repo", title: "Repository" },
  { name: "language", title: "Language" },
  { name: "path", title: "Folder" }
] as const // the names are those of the facets

const Group = ({
  chosen,
  counted,
  onAdd,
  onRemove,
  title
}: {
  readonly title: string
  readonly counted: ReadonlyArray<Explore.Facet>
  readonly chosen: ReadonlyArray<QueryRefinements.Refinement>
  readonly onAdd: (value: string, not: boolean) => void
  readonly onRemove: (refinement: QueryRefinements.Refinement) => void
}) => {
  const [isOpen, setIsOpen] = useState(false)
  const isChosen = (value: string) => chosen.some((one) => !one.not && one.value.toLowerCase() === value.toLowerCase())
  const others = counted.filter(({ value }) => !isChosen(value))
  // One value that everything has narrows nothing.
  if (chosen.length === 0 && others.length < 2) return null
  const most = Math.max(1, ...others.map(({ count }) => count))
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {chosen.map((one) => (
          <li key={QueryRefinements.print(one)}>
            <button
              type="button"
              className="facet"
              aria-pressed="true"
              aria-label={`${one.not ? "not " : ""}${displayText(one.value)}, take out`}
              onClick={() => onRemove(one)}
            >
              <span className="facet-name">
                {one.not && <span className="warn">not </span>}
                {displayText(one.value)}
              </span>
              <span>×</span>
            </button>
          </li>
        ))}
        {others.slice(0, isOpen ? undefined : FEW).map(({ count, value }) => (
          <li key={value}>
            <button
              type="button"
              className="facet"
              aria-pressed="false"
              style={{ backgroundSize: `${(100 * count) / most}% 2px` }}
              onClick={() => onAdd(value, false)}
            >
              <span className="facet-name">{displayText(value)}</span>
              <span className="facet-count">{NumberFormat.format(count)}</span>
            </button>
            <button
              type="button"
              className="facet-not"
              aria-label={`Without ${displayText(value)}`}
              title="Leave out"
              onClick={() => onAdd(value, true)}
            >
              −
            </button>
          </li>
        ))}
      </ul>
      {others.length > FEW && (
        <button type="button" className="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Fewer" : `${others.length - FEW} more`}
        </button>
      )}
    </section>
  )
}

/** What kind of definition matches is no qualifier of the language: the view narrows by it. */
const Kinds = ({ counted, view }: { readonly view: Route.Search; readonly counted: ReadonlyArray<Explore.Facet> }) => {
  if (counted.length === 0 && view.kind === undefined) return null
  const { kind: chosen, ...rest } = view
  const all =
    chosen === undefined || counted.some(({ value }) => value === chosen)
      ? counted
      : [{ value: chosen, count: 0 }, ...counted]
  const most = Math.max(1, ...all.map(({ count }) => count))
  return (
    <section>
      <h2>Defines</h2>
      <ul>
        {all.map(({ count, value }) => (
          <li key={value}>
            <button
              type="button"
              className="facet"
              aria-pressed={value === chosen}
              style={{ backgroundSize: `${(100 * count) / most}% 2px` }}
              onClick={() => navigate(value === chosen ? rest : { ...view, kind: value })}
            >
              <span className="facet-name">{displayText(value)}</span>
              <span className="facet-count">{value === chosen ? "×" : NumberFormat.format(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
