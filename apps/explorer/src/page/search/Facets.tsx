import { useState } from "react"
import type { Facet, Facets as FacetCounts } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import * as QueryRefinements from "./QueryRefinements.ts"

interface Props {
  readonly route: Route.Search
  readonly facets: FacetCounts
  /** Whether the counts cover all matching files. Otherwise the counts are minimums. */
  readonly isComplete: boolean
  readonly kind: CodeQuery["kind"]
}

/** Maximum number of values per facet while collapsed. */
const MAX_COLLAPSED = 6

/** The facets beside the results. */
export const Facets = (props: Props) => (
  <aside className="facets" aria-label="Filters">
    <FacetGroups {...props} />
  </aside>
)

/** The facets: buttons that add or remove qualifiers of the query. */
export const FacetGroups = ({ facets, isComplete, kind, route }: Props) => {
  const refine = (q: string) => navigate({ ...route, q })
  const refinements = QueryRefinements.all(route.q)
  return (
    <>
      {groups
        .filter(({ name }) => kind === "file" || name === "repo")
        .map(({ facet, name, title }) => (
          <Group
            key={name}
            title={title}
            values={facet === "path" ? withoutSameFolders(facets.path) : facets[facet]}
            canExclude={name !== "kind"}
            isComplete={isComplete}
            active={refinements
              .filter((one) => one.name === name)
              .map((one) => ({ ...one, value: QueryRefinements.facetValue(one) }))}
            onAdd={(value, not) =>
              // From the root: a folder of the same name elsewhere is not in the count.
              refine(QueryRefinements.add(route.q, { name, value: name === "path" ? `/${value}` : value, not }))
            }
            onRemove={(refinement) => refine(QueryRefinements.remove(route.q, refinement))}
          />
        ))}
      {!isComplete && facets.repo.length > 0 && (
        <p className="dim small">Not all results are counted: 8+ is at least 8.</p>
      )}
    </>
  )
}

const groups = [
  { name: "repo", facet: "repo", title: "Repository" },
  { name: "language", facet: "language", title: "Language" },
  { name: "path", facet: "path", title: "Folder" },
  { name: "kind", facet: "symbol", title: "Symbol kind" }
] as const // the names of qualifiers and facets

/** Omits a folder with the same files as a nested folder. */
const withoutSameFolders = (folders: ReadonlyArray<Facet>): ReadonlyArray<Facet> =>
  folders.filter(
    (outer) => !folders.some((inner) => inner.count === outer.count && inner.value.startsWith(`${outer.value}/`))
  )

const Count = ({ count, isComplete }: { readonly count: number; readonly isComplete: boolean }) => (
  <span className="facet-count">
    {!isComplete && <span className="visually-hidden">at least </span>}
    {NumberFormat.format(count)}
    {!isComplete && <span aria-hidden="true">+</span>}
  </span>
)

const Group = ({
  active,
  canExclude,
  isComplete,
  onAdd,
  onRemove,
  title,
  values
}: {
  readonly title: string
  readonly values: ReadonlyArray<Facet>
  readonly isComplete: boolean
  readonly active: ReadonlyArray<QueryRefinements.Refinement>
  readonly canExclude: boolean
  readonly onAdd: (value: string, not: boolean) => void
  readonly onRemove: (refinement: QueryRefinements.Refinement) => void
}) => {
  const [isExpanded, setIsExpanded] = useState(false)
  const isActive = (value: string) => active.some((one) => !one.not && one.value.toLowerCase() === value.toLowerCase())
  const others = values.filter(({ value }) => !isActive(value))
  // A single value that all results share filters nothing. Not all results define a symbol.
  if (active.length === 0 && others.length < (canExclude ? 2 : 1)) return null
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
              <Count count={count} isComplete={isComplete} />
            </button>
            {canExclude && (
              <button
                type="button"
                className="facet-exclude"
                aria-label={`Exclude ${displayText(value)}`}
                title="Exclude"
                onClick={() => onAdd(value, true)}
              >
                −
              </button>
            )}
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
