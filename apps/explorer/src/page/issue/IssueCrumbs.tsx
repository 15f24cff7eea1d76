import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"

/** The repository, and the list of its issues. */
export const IssueCrumbs = ({
  isList,
  repository: { owner, repo }
}: {
  readonly repository: RepositoryName
  readonly isList: boolean
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
          {isList ? <h1 aria-current="page">Issues</h1> : <Link to={{ _tag: "Issues", owner, repo }}>Issues</Link>}
        </li>
      </ol>
    </nav>
  </div>
)
