import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"

/** The repository and the list of its issues, and the number of an issue until its title is the heading of the page. */
export const IssueCrumbs = ({
  current,
  repository: { owner, repo }
}: {
  readonly repository: RepositoryName
  readonly current: "list" | number | undefined
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
          {current === "list" ? (
            <h1 aria-current="page">Issues</h1>
          ) : (
            <Link to={{ _tag: "Issues", owner, repo }}>Issues</Link>
          )}
        </li>
        {typeof current === "number" && (
          <li>
            <h1 aria-current="page">#{current}</h1>
          </li>
        )}
      </ol>
    </nav>
  </div>
)
