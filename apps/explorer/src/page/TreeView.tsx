/** A folder of a repository. */
import { useRef } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../Wire.ts"
import * as Api from "./Api.ts"
import { FailureNote } from "./FailureNote.tsx"
import { Icon, type Name } from "./file/Icon.tsx"
import { moveFocus } from "./moveFocus.ts"
import { Link } from "./Link.tsx"
import { Notice } from "./Notice.tsx"
import { Place } from "./Place.tsx"
import { shown } from "./Shown.ts"
import { Skeleton } from "./Skeleton.tsx"
import { useKeys } from "./useKeys.ts"
import { go, useRestoredScroll } from "./useView.ts"
import * as View from "./View.ts"

export const TreeView = ({ view }: { readonly view: View.Tree }) => {
  const { owner, path, ref, repo } = view
  const answer = Api.useAnswer(Api.tree, { owner, repo, path, ref })
  const list = useRef<HTMLUListElement>(null)
  const above: View.Tree | undefined =
    path === "" ? undefined : { ...view, path: path.split("/").slice(0, -1).join("/") }
  const step = (by: 1 | -1) => () => moveFocus(list.current, by)
  useKeys({
    j: step(1),
    k: step(-1),
    ArrowDown: step(1),
    ArrowUp: step(-1),
    u: () => above !== undefined && go(above),
    Backspace: () => above !== undefined && go(above)
  })
  const entries = answer._tag === "Ready" ? answer.value.entries : undefined
  useRestoredScroll(View.print(view), entries !== undefined)
  return (
    <div className="tree">
      <Place view={view} pinned={answer._tag === "Ready" ? answer.value : undefined} />
      {answer._tag === "Loading" && <Skeleton rows={8} slow={answer.slow} what="Loading the folder" />}
      {answer._tag === "Failed" && (
        <FailureNote {...answer}>
          <p className="ways">
            {ref !== undefined && <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the default branch</Link>}
          </p>
        </FailureNote>
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
                {shown(entry.name)}
              </Link>
              <span className="dim">{entry.kind === "file" ? NumberFormat.bytes(entry.size) : names[entry.kind]}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const target = (view: View.Tree, { kind, path }: Wire.Entry): View.View =>
  kind === "dir" ? { ...view, path } : { ...view, _tag: "File", path }

const names: Readonly<Record<Wire.Entry["kind"], string>> = {
  dir: "",
  file: "",
  symlink: "link",
  submodule: "submodule"
}

const icons: Readonly<Record<Wire.Entry["kind"], Name>> = {
  dir: "folder",
  file: "file",
  symlink: "symlink",
  submodule: "submodule"
}
