import { useRef } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Breadcrumbs } from "./Breadcrumbs.tsx"
import { displayText } from "../model/displayText.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"

/** The entries of a folder. */
export const FolderView = ({ route }: { readonly route: Route.Tree }) => {
  const { owner, path, ref, repo } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.tree, { owner, repo, path, ref })
  const list = useRef<HTMLUListElement>(null)
  const parent = Route.parent(route)
  const openParent = () => parent !== undefined && navigate(parent)
  const step = (by: 1 | -1) => () => moveFocus(list.current, by)
  useKeyboardShortcuts({
    j: step(1),
    k: step(-1),
    ArrowDown: step(1),
    ArrowUp: step(-1),
    u: openParent,
    Backspace: openParent
  })
  const entries = answer._tag === "Ready" ? answer.value.entries : undefined
  useScrollRestoration(Route.href(route), entries !== undefined)
  return (
    <div className="tree">
      <Breadcrumbs route={route} pinned={answer._tag === "Ready" ? answer.value : undefined} />
      {answer._tag === "Loading" && <Skeleton rows={8} isSlow={answer.slow} activity="Loading the folder" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            {ref !== undefined && <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the default branch</Link>}
          </p>
        </FailureNotice>
      )}
      {entries?.length === 0 && (
        <Notice title="Empty folder">
          <p>This folder has no files.</p>
        </Notice>
      )}
      {entries !== undefined && entries.length > 0 && (
        <ul className="entries" ref={list} aria-label={path === "" ? `${owner}/${repo}` : path}>
          {parent !== undefined && (
            <li>
              <Link to={parent} className="entry" data-kind="up" aria-label="Parent folder">
                <Icon name="folder" />
                ..
              </Link>
            </li>
          )}
          {entries.map((entry) => (
            <li key={entry.name}>
              <Link to={routeOf(route, entry)} className="entry" data-kind={entry.kind}>
                <Icon name={icons[entry.kind]} />
                {displayText(entry.name)}
              </Link>
              <span className="dim">{entry.kind === "file" ? NumberFormat.bytes(entry.size) : names[entry.kind]}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const routeOf = (route: Route.Tree, { kind, path }: ExplorerApi.FolderEntry): Route.Route =>
  kind === "dir" ? { ...route, path } : { ...route, _tag: "File", path }

const names: Readonly<Record<ExplorerApi.FolderEntry["kind"], string>> = {
  dir: "",
  file: "",
  symlink: "symbolic link",
  submodule: "submodule"
}

const icons: Readonly<Record<ExplorerApi.FolderEntry["kind"], IconName>> = {
  dir: "folder",
  file: "file",
  symlink: "symlink",
  submodule: "submodule"
}
