import type { ReactNode } from "react"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { displayText } from "../model/displayText.ts"
import { Link } from "./Link.tsx"

/** Breadcrumbs that begin with a repository. `children` are the further list items. */
export const RepositoryCrumbs = ({
  children,
  repository: { owner, repo }
}: {
  readonly repository: RepositoryName
  readonly children: ReactNode
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
        {children}
      </ol>
    </nav>
  </div>
)
