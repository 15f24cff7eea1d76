import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { RepositoryCrumbs } from "../components/RepositoryCrumbs.tsx"

/** The repository and the list of its runs. */
export const RunCrumbs = ({
  isList,
  repository
}: {
  readonly repository: RepositoryName
  readonly isList: boolean
}) => (
  <RepositoryCrumbs repository={repository}>
    <li>
      {isList ? (
        <h1 aria-current="page">Actions</h1>
      ) : (
        <Link to={{ _tag: "Runs", owner: repository.owner, repo: repository.repo }}>Actions</Link>
      )}
    </li>
  </RepositoryCrumbs>
)
