import { useState } from "react"
import type { Facet, Facets as FacetCounts } from "@tongs/core/contract/CodeSearch"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import * as QueryRefinements from "./QueryRefinements.ts"

interface Props {
  readonly route: Route.Search
  readonly facets: FacetCounts
  /** Whether they count only the loaded results. */
  readonly isPartial: boolean
}

/** Maximum number of values per facet while collapsed. */
const MAX_COLLAPSED = 6

/** The facets beside the results. */
export const Facets = (props: Props) => (
  <aside className="facets" aria-label="Filters">
    <FacetGroups {...props} />
  </aside>
)

/** The facets: buttons that add qualifiers to the query or remove them. */
export const FacetGroups = ({ facets, isPartial, route }: Props) => {
  const refine = (q: string) => navigate({ ...route, q })
  const refinements = QueryRefinements.all(route.q)
  return (
    <>
      {GROUPS.map(({ name, title }) => (
        <Group
          key={name}
          title={title}
          values={facets[name]}
          active={refinements.filter((one) => one.name === name)}
          onAdd={(value, not) => refine(QueryRefinements.add(route.q, { name, value, not }))}
          onRemove={(refinement) => refine(QueryRefinements.remove(route.q, refinement))}
        />
      ))}
      <SymbolKinds route={route} values={facets.symbol} />
      {isPartial && facets.repo.length > 0 && <p className="dim small">Counts include only the results shown.</p>}
    </>
  )
}

const GROUPS = [
  { name: "repo", title: "Repository" },
  { name: "language", title: "Language" },
  { name: "path", title: "Folder" }
] as const // the names are those of the facets

const Group = ({
  active,
  onAdd,
  onRemove,
  title,
  values
}: {
  readonly title: string
  readonly values: ReadonlyArray<Facet>
  readonly active: ReadonlyArray<QueryRefinements.Refinement>
  readonly onAdd: (value: string, not: boolean) => void
  readonly onRemove: (refinement: QueryRefinements.Refinement) => void
}) => {
  const [isExpanded, setIsExpanded] = useState(false)
  const isActive = (value: string) => active.some((one) => !one.not && one.value.toLowerCase() === value.toLowerCase())
  const others = values.filter(({ value }) => !isActive(value))
  // A single value that all results share filters nothing.
  if (active.length === 0 && others.length < 2) return null
  const most = Math.max(1, ...others.map(({ count }) => count))
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {active.map((one) => (
          <li key={QueryRefinements.print(one)}>
            <button
              type="button"
              className="facet"
              aria-pressed="true"
              aria-label={`${one.not ? "not " : ""}${displayText(one.value)}, remove filter`}
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
        {others.slice(0, isExpanded ? undefined : MAX_COLLAPSED).map(({ count, value }) => (
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
              className="facet-exclude"
              aria-label={`Exclude ${displayText(value)}`}
              title="Exclude"
              onClick={() => onAdd(value, true)}
            >
              −
            </button>
          </li>
        ))}
      </ul>
      {others.length > MAX_COLLAPSED && (
        <button type="button" className="plain" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
          {isExpanded ? "Show fewer" : `${others.length - MAX_COLLAPSED} more`}
        </button>
      )}
    </section>
  )
}

/** Filters by symbol kind. It has no qualifier in the query language, so the route keeps it. */
const SymbolKinds = ({ values, route }: { readonly route: Route.Search; readonly values: ReadonlyArray<Facet> }) => {
  if (values.length === 0 && route.kind === undefined) return null
  const { kind: chosen, ...rest } = route
  const all =
    chosen === undefined || values.some(({ value }) => value === chosen)
      ? values
      : [{ value: chosen, count: 0 }, ...values]
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
              onClick={() => navigate(value === chosen ? rest : { ...route, kind: value })}
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
