import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"

/** The repository of a comparison or commit, and the title of the view. */
export const DiffCrumbs = ({
  route: { owner, repo },
  title
}: {
  readonly route: Route.Commit | Route.Compare
  readonly title: string
}) => (
  <div className="breadcrumbs">
    <nav aria-label="Path">
      <ol>
        <li>
          <Link to={{ _tag: "Tree", owner, repo, path: "" }}>
            <span className="dim">{displayText(owner)}/</span>
            {displayText(repo)}
          </Link>
        </li>
        <li>
          <h1 aria-current="page">{title}</h1>
        </li>
      </ol>
    </nav>
  </div>
)
