import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { RepositoryCrumbs } from "../components/RepositoryCrumbs.tsx"

/** The repository and the list of its issues, and the number of an issue until its title is the heading of the page. */
export const IssueCrumbs = ({
  current,
  repository
}: {
  readonly repository: RepositoryName
  readonly current: "list" | number | undefined
}) => {
  const { owner, repo } = repository
  return (
    <RepositoryCrumbs repository={repository}>
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
    </RepositoryCrumbs>
  )
}
