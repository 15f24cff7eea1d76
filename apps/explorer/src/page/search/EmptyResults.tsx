import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import * as QueryLanguage from "./QueryLanguage.ts"
import * as QueryRefinements from "./QueryRefinements.ts"

/** Suggestions for a search without results. */
export const EmptyResults = ({
  hasIndex,
  kind,
  route
}: {
  readonly route: Route.Search
  readonly hasIndex: boolean
  readonly kind: CodeQuery["kind"]
}) => {
  const { q } = route
  const hasRevisions = QueryLanguage.hasRevisions(q, hasIndex)
  const refinements = QueryRefinements.all(q)
  return (
    <Notice title="Suggestions">
      {refinements.length > 0 && (
        <p className="alternatives">
          {refinements.map((one) => (
            <Link key={QueryRefinements.print(one)} to={{ ...route, q: QueryRefinements.remove(q, one) }}>
              Without <code>{displayText(QueryRefinements.print(one))}</code>
            </Link>
          ))}
        </p>
      )}
      <ul>
        <li>Try a shorter word or another one.</li>
        {hasIndex ? (
          <>
            <li>
              Try a regular expression such as <code>/retry.*after/</code>.
            </li>
            {kind !== "file" && (
              <li>
                <code>type:commit</code> searches the messages of commits, <code>type:diff</code> the lines that they
                added or removed.
              </li>
            )}
            <li>
              {hasRevisions ? (
                <>
                  Search covered only the revisions of <code>rev:</code>.
                </>
              ) : (
                <>
                  Search covered {kind === "file" ? "the default branches" : "the history of the default branches"}. Add{" "}
                  <code>rev:name</code> for another branch, tag or commit.
                </>
              )}{" "}
              {kind === "file" && (
                <>
                  The <Link to={Route.home}>start page</Link> shows the repositories and the files that are not
                  searched.
                </>
              )}
            </li>
          </>
        ) : (
          <li>Search covers only default branches and files below 384 KB.</li>
        )}
      </ul>
    </Notice>
  )
}
