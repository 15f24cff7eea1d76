/** Where a file or folder is: its repository, its branch, and the folders down to it. */
import type { Pinned } from "../Wire.ts"
import * as Api from "./Api.ts"
import { Link } from "./Link.tsx"
import { shown } from "./Shown.ts"
import { go } from "./useView.ts"
import type * as View from "./View.ts"

export const Place = ({
  pinned,
  view
}: {
  readonly view: View.File | View.Tree
  readonly pinned: Pinned | undefined
}) => {
  const { owner, path, repo } = view
  const parts = path === "" ? [] : path.split("/")
  const folder = (path: string): View.Tree => ({
    _tag: "Tree",
    owner,
    repo,
    path,
    ...(view.ref === undefined ? {} : { ref: view.ref }),
    ...(view.q === undefined ? {} : { q: view.q })
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
      <Branch view={view} pinned={pinned} />
    </div>
  )
}

/** Which branch this is, and the way to another. At a commit, its abbreviated id. */
const Branch = ({ pinned, view }: { readonly view: View.File | View.Tree; readonly pinned: Pinned | undefined }) => {
  const { owner, repo } = view
  const answer = Api.useAnswer(Api.branches, { owner, repo })
  const branches = answer._tag === "Ready" ? answer.value.branches : []
  const current = pinned?.ref ?? view.ref
  if (current === undefined) return null
  const isListed = branches.includes(current)
  return (
    <label className="branch-choice">
      <span className="unseen">Branch</span>
      <select value={current} onChange={(event) => go({ ...view, ref: event.target.value })}>
        {!isListed && (
          <option value={current}>{current === pinned?.commit ? `at ${current.slice(0, 10)}` : shown(current)}</option>
        )}
        {branches.map((name) => (
          <option key={name} value={name}>
            {shown(name)}
          </option>
        ))}
      </select>
    </label>
  )
}
