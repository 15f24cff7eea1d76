import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import * as QueryRefinements from "./QueryRefinements.ts"

/** Suggestions for a search without results. */
export const EmptyResults = ({ hasIndex, route }: { readonly route: Route.Search; readonly hasIndex: boolean }) => {
  const { kind, q } = route
  const refinements = QueryRefinements.all(q)
  return (
    <Notice title="Suggestions">
      {(refinements.length > 0 || kind !== undefined) && (
        <p className="alternatives">
          {refinements.map((one) => (
            <Link key={QueryRefinements.print(one)} to={{ ...route, q: QueryRefinements.remove(q, one) }}>
              Without <code>{displayText(QueryRefinements.print(one))}</code>
            </Link>
          ))}
          {kind !== undefined && <Link to={{ _tag: "Search", q }}>Without the {displayText(kind)} filter</Link>}
        </p>
      )}
      <ul>
        <li>Try a shorter word or another one.</li>
        {hasIndex ? (
          <>
            <li>
              Try a regular expression such as <code>/retry.*after/</code>.
            </li>
            <li>
              Search covers only default branches. The <Link to={Route.home}>start page</Link> shows the indexed
              repositories and the files that are not indexed.
            </li>
          </>
        ) : (
          <li>Search covers only default branches and files below 32 MB.</li>
        )}
      </ul>
    </Notice>
  )
}
