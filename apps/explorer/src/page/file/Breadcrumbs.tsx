/** Where a file or folder is: its repository, the folders down to it, and its branch. */
import type { Pinned } from "../../Wire.ts"
import { RefPicker } from "./RefPicker.tsx"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"

export const Breadcrumbs = ({
  pinned,
  view
}: {
  readonly view: Route.File | Route.Tree
  readonly pinned: Pinned | undefined
}) => {
  const { owner, path, q, ref, repo } = view
  const parts = path === "" ? [] : path.split("/")
  const folder = (path: string): Route.Tree => ({
    _tag: "Tree",
    owner,
    repo,
    path,
    ...(ref === undefined ? {} : { ref }),
    ...(q === undefined ? {} : { q })
  })
  return (
    <div className="place">
      <nav aria-label="Path">
        <ol>
          <li>
            <Link to={folder("")}>
              <span className="dim">{displayText(owner)}/</span>
              {displayText(repo)}
            </Link>
          </li>
          {parts.map((part, at) => (
            <li key={parts.slice(0, at + 1).join("/")}>
              {at === parts.length - 1 ? (
                <h1 aria-current="page">{displayText(part)}</h1>
              ) : (
                <Link to={folder(parts.slice(0, at + 1).join("/"))}>{displayText(part)}</Link>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <RefPicker view={view} pinned={pinned} />
    </div>
  )
}
