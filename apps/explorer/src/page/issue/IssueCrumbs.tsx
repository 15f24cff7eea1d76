import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { RepositoryCrumbs } from "../components/RepositoryCrumbs.tsx"

/**
 * The repository and the list of its issues or pull requests, and the number of one until its title is the heading of
 * the page.
 */
export const IssueCrumbs = ({
  current,
  list,
  repository
}: {
  readonly repository: RepositoryName
  readonly list: "Issues" | "Pulls"
  readonly current: "list" | number | undefined
}) => {
  const { owner, repo } = repository
  const title = list === "Issues" ? "Issues" : "Pull requests"
  return (
    <RepositoryCrumbs repository={repository}>
      <li>
        {current === "list" ? (
          <h1 aria-current="page">{title}</h1>
        ) : (
          <Link to={{ _tag: list, owner, repo }}>{title}</Link>
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
