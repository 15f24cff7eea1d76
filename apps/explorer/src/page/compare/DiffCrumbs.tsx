import { RepositoryCrumbs } from "../components/RepositoryCrumbs.tsx"
import type * as Route from "../model/Route.ts"

/** The repository of a comparison or commit, and the title of the view. */
export const DiffCrumbs = ({
  route,
  title
}: {
  readonly route: Route.Commit | Route.Compare
  readonly title: string
}) => (
  <RepositoryCrumbs repository={route}>
    <li>
      <h1 aria-current="page">{title}</h1>
    </li>
  </RepositoryCrumbs>
)
