/** What a search says that found nothing, and the ways on from there. */
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import * as QueryRefinements from "./QueryRefinements.ts"

export const EmptyResults = ({ hasIndex, view }: { readonly view: Route.Search; readonly hasIndex: boolean }) => {
  const { kind, q } = view
  const refinements = QueryRefinements.all(q)
  return (
    <Notice title="What may help">
      {(refinements.length > 0 || kind !== undefined) && (
        <p className="ways">
          {refinements.map((one) => (
            <Link key={QueryRefinements.print(one)} to={{ ...view, q: QueryRefinements.remove(q, one) }}>
              Without <code>{displayText(QueryRefinements.print(one))}</code>
            </Link>
          ))}
          {kind !== undefined && <Link to={{ _tag: "Search", q }}>Not only what defines a {displayText(kind)}</Link>}
        </p>
      )}
      <ul>
        <li>Try a shorter word, or another one.</li>
        {hasIndex ? (
          <>
            <li>
              <code>/regular.*expressions/</code> find what words do not.
            </li>
            <li>
              Only default branches are searched. The <Link to={HOME}>first page</Link> tells what the index has, and
              what it leaves out.
            </li>
          </>
        ) : (
          <li>Only default branches are searched, and only files below 384 KB.</li>
        )}
      </ul>
    </Notice>
  )
}

const HOME: Route.Home = { _tag: "Home" }
