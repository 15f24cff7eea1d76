/** Loads the scripts of the views. */
import type * as Route from "./model/Route.ts"

export const file = () => import("./file/FileView.tsx")
export const folder = () => import("./file/FolderView.tsx")
export const layout = () => import("./tree/RepositoryLayout.tsx")
export const compare = () => import("./compare/CompareView.tsx")
export const commit = () => import("./commit/CommitView.tsx")
export const issue = () => import("./issue/IssueView.tsx")
export const issues = () => import("./issue/IssueListView.tsx")
export const pull = () => import("./pull/PullView.tsx")
export const release = () => import("./release/ReleaseView.tsx")
export const releases = () => import("./release/ReleaseListView.tsx")
export const run = () => import("./run/RunView.tsx")
export const runs = () => import("./run/RunListView.tsx")
export const search = () => import("./search/SearchView.tsx")

/** Loads the view of a route before the first rendering. After a failed load, rendering the view fails again. */
export const load = (route: Route.Route): Promise<unknown> => Promise.allSettled(scripts(route).map((load) => load()))

const scripts = ({ _tag }: Route.Route): ReadonlyArray<() => Promise<unknown>> => {
  switch (_tag) {
    case "File":
      return [layout, file]
    case "Tree":
      return [layout, folder]
    case "Compare":
      return [compare]
    case "Commit":
      return [commit]
    case "Issue":
      return [issue]
    case "Issues":
    case "Pulls":
      return [issues]
    case "Pull":
      return [pull]
    case "Release":
      return [release]
    case "Releases":
      return [releases]
    case "Run":
      return [run]
    case "Runs":
      return [runs]
    case "Search":
      return [search]
    default:
      return []
  }
}
