/** Where a file or folder is: its repository, the folders down to it, and its branch. */
import type { Pinned } from "../Wire.ts"
import { RefPicker } from "./file/RefPicker.tsx"
import { Link } from "./Link.tsx"
import { shown } from "./Shown.ts"
import type * as View from "./View.ts"

export const Place = ({
  pinned,
  view
}: {
  readonly view: View.File | View.Tree
  readonly pinned: Pinned | undefined
}) => {
  const { owner, path, q, ref, repo } = view
  const parts = path === "" ? [] : path.split("/")
  const folder = (path: string): View.Tree => ({
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
              <span className="dim">{shown(owner)}/</span>
              {shown(repo)}
            </Link>
          </li>
          {parts.map((part, at) => (
            <li key={parts.slice(0, at + 1).join("/")}>
              {at === parts.length - 1 ? (
                <h1 aria-current="page">{shown(part)}</h1>
              ) : (
                <Link to={folder(parts.slice(0, at + 1).join("/"))}>{shown(part)}</Link>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <RefPicker view={view} pinned={pinned} />
    </div>
  )
}
