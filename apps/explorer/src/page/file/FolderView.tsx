/** A folder of a repository. */
import { useRef } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
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

export const FolderView = ({ view }: { readonly view: Route.Tree }) => {
  const { owner, path, ref, repo } = view
  const answer = Api.useAnswer(Api.tree, { owner, repo, path, ref })
  const list = useRef<HTMLUListElement>(null)
  const above: Route.Tree | undefined =
    path === "" ? undefined : { ...view, path: path.split("/").slice(0, -1).join("/") }
  const step = (by: 1 | -1) => () => moveFocus(list.current, by)
  useKeyboardShortcuts({
    j: step(1),
    k: step(-1),
    ArrowDown: step(1),
    ArrowUp: step(-1),
    u: () => above !== undefined && navigate(above),
    Backspace: () => above !== undefined && navigate(above)
  })
  const entries = answer._tag === "Ready" ? answer.value.entries : undefined
  useScrollRestoration(Route.href(view), entries !== undefined)
  return (
    <div className="tree">
      <Breadcrumbs view={view} pinned={answer._tag === "Ready" ? answer.value : undefined} />
      {answer._tag === "Loading" && <Skeleton rows={8} slow={answer.slow} what="Loading the folder" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="ways">
            {ref !== undefined && <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the default branch</Link>}
          </p>
        </FailureNotice>
      )}
      {entries?.length === 0 && (
        <Notice title="Nothing here yet">
          <p>This folder has no files.</p>
        </Notice>
      )}
      {entries !== undefined && entries.length > 0 && (
        <ul className="entries" ref={list} aria-label={path === "" ? `${owner}/${repo}` : path}>
          {above !== undefined && (
            <li>
              <Link to={above} className="entry" data-kind="up" aria-label="The folder above">
                <Icon name="folder" />
                ..
              </Link>
            </li>
          )}
          {entries.map((entry) => (
            <li key={entry.name}>
              <Link to={target(view, entry)} className="entry" data-kind={entry.kind}>
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

const target = (view: Route.Tree, { kind, path }: Wire.Entry): Route.Route =>
  kind === "dir" ? { ...view, path } : { ...view, _tag: "File", path }

const names: Readonly<Record<Wire.Entry["kind"], string>> = {
  dir: "",
  file: "",
  symlink: "link",
  submodule: "submodule"
}

const icons: Readonly<Record<Wire.Entry["kind"], IconName>> = {
  dir: "folder",
  file: "file",
  symlink: "symlink",
  submodule: "submodule"
}
