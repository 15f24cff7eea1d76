import type { PinnedPath } from "../../ExplorerApi.ts"
import { CompareLink } from "./CompareLink.tsx"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { Icon } from "./Icon.tsx"
import { RefPicker } from "./RefPicker.tsx"
import { TreeToggle } from "./TreeToggle.tsx"
import { WorkTreeLink } from "./WorkTreeLink.tsx"

/** The path of a file or folder, with links to the repository and the folders, and the branch. */
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
      <TreeToggle />
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
      <span className="breadcrumb-tools">
        {path === "" && (
          <>
            <Link className="tool" to={{ _tag: "Issues", owner, repo }}>
              <Icon name="issue" />
              Issues
            </Link>
            <Link className="tool" to={{ _tag: "Pulls", owner, repo }}>
              <Icon name="pull" />
              Pull requests
            </Link>
            <Link className="tool" to={{ _tag: "Runs", owner, repo }}>
              <Icon name="run" />
              Actions
            </Link>
            <Link className="tool" to={{ _tag: "Releases", owner, repo }}>
              <Icon name="tag" />
              Releases
            </Link>
          </>
        )}
        {route._tag === "Tree" && (
          <Link
            className="tool"
            to={{
              _tag: "History",
              owner,
              repo,
              ...(path === "" ? {} : { path }),
              ...(route.ref === undefined ? {} : { ref: route.ref })
            }}
            title="Commits that changed this folder"
          >
            <Icon name="history" />
            History
          </Link>
        )}
        <CompareLink route={route} pinned={pinned} />
        {pinned !== undefined && <WorkTreeLink route={route} pinned={pinned} />}
        <RefPicker route={route} pinned={pinned} />
      </span>
    </div>
  )
}
