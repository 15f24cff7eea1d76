import type { PinnedPath } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { RefPicker } from "./RefPicker.tsx"

/** The path of a file or folder, with links to its repository and folders, and its branch. */
export const Breadcrumbs = ({
  pinned,
  route
}: {
  readonly route: Route.File | Route.Tree
  readonly pinned: PinnedPath | undefined
}) => {
  const { owner, path, repo } = route
  const names = path === "" ? [] : path.split("/")
  return (
    <div className="breadcrumbs">
      <nav aria-label="Path">
        <ol>
          <li>
            <Link to={Route.folder(route, "")}>
              <span className="dim">{displayText(owner)}/</span>
              {displayText(repo)}
            </Link>
          </li>
          {names.map((name, index) => {
            const folder = names.slice(0, index + 1).join("/")
            return (
              <li key={folder}>
                {index === names.length - 1 ? (
                  <h1 aria-current="page">{displayText(name)}</h1>
                ) : (
                  <Link to={Route.folder(route, folder)}>{displayText(name)}</Link>
                )}
              </li>
            )
          })}
        </ol>
      </nav>
      <RefPicker route={route} pinned={pinned} />
    </div>
  )
}
