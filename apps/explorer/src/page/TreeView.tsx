/** A folder of a repository. */
import * as Count from "@tongs/core/text/Count"
import type * as Wire from "../Wire.ts"
import * as Api from "./Api.ts"
import { FailureNote } from "./FailureNote.tsx"
import { Link } from "./Link.tsx"
import { Place } from "./Place.tsx"
import { shown } from "./Shown.ts"
import { Skeleton } from "./Skeleton.tsx"
import { useKeys } from "./useKeys.ts"
import type * as View from "./View.ts"

export const TreeView = ({ view }: { readonly view: View.Tree }) => {
  const { owner, path, ref, repo } = view
  const answer = Api.useAnswer(Api.tree, { owner, repo, path, ref })
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1)
  })
  return (
    <div className="tree">
      <Place view={view} pinned={answer._tag === "Ready" ? answer.value : undefined} />
      {answer._tag === "Loading" && <Skeleton rows={8} slow={answer.slow} what="Loading the folder" />}
      {answer._tag === "Failed" && <FailureNote {...answer} />}
      {answer._tag === "Ready" && (
        <ul className="entries">
          {path !== "" && (
            <li>
              <Link
                to={{ ...view, path: path.split("/").slice(0, -1).join("/") }}
                className="entry"
                data-kind="up"
                aria-label="The folder above"
              >
                ..
              </Link>
            </li>
          )}
          {answer.value.entries.map((entry) => (
            <li key={entry.name}>
              <Link to={target(view, entry)} className="entry" data-kind={entry.kind}>
                {shown(entry.name)}
              </Link>
              <span className="dim">{entry.kind === "file" ? Count.bytes(entry.size) : names[entry.kind]}</span>
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

const step = (by: 1 | -1) => {
  const all = Array.from(document.querySelectorAll<HTMLElement>(".entry"))
  const at = all.findIndex((element) => element === document.activeElement)
  all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus()
}
