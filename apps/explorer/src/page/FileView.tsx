/** A file: where it is, what it is, its text. */
import { useEffect } from "react"
import { quote } from "@tongs/core/query/Qualifier"
import * as Count from "@tongs/core/text/Count"
import type * as Wire from "../Wire.ts"
import * as Api from "./Api.ts"
import { Code } from "./Code.tsx"
import { Copy } from "./Copy.tsx"
import { FailureNote } from "./FailureNote.tsx"
import { Link } from "./Link.tsx"
import { Notice } from "./Notice.tsx"
import { Place } from "./Place.tsx"
import { shown } from "./Shown.ts"
import { Skeleton } from "./Skeleton.tsx"
import { useKeys } from "./useKeys.ts"
import { go } from "./useView.ts"
import * as View from "./View.ts"

export const FileView = ({ view }: { readonly view: View.File }) => {
  const { owner, path, ref, repo } = view
  const answer = Api.useAnswer(Api.file, { owner, repo, path, ref })
  const file = answer._tag === "Ready" ? answer.value : undefined
  const isFolder = file?.content.kind === "folder"
  useEffect(() => {
    if (isFolder) go({ ...view, _tag: "Tree" }, { replace: true })
  }, [isFolder, view])
  useKeys({ y: () => file !== undefined && void navigator.clipboard.writeText(permalink(view, file)) })
  return (
    <div className="file">
      <div className="bar">
        <Place view={view} pinned={file} />
        {file !== undefined && (
          <div className="toolbar">
            <span className="facts">
              {file.content.kind === "text" && <span>{Count.noun(linesOf(file.content.text), "line")}</span>}
              <span>{Count.bytes(file.size)}</span>
              <span>
                at <code title={file.commit}>{file.commit.slice(0, 10)}</code>
              </span>
            </span>
            {file.content.kind === "text" && <Copy text={file.content.text} label="Copy" />}
            <Copy text={permalink(view, file)} label="Copy link" />
          </div>
        )}
      </div>
      {answer._tag === "Loading" && <Skeleton rows={10} slow={answer.slow} what="Loading the file" />}
      {answer._tag === "Failed" && (
        <FailureNote {...answer}>
          <p className="ways">
            <Link to={{ _tag: "Search", q: elsewhere(view) }}>Look for this name</Link>
            <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the repository</Link>
          </p>
        </FailureNote>
      )}
      {file !== undefined && <Content content={file.content} view={view} />}
    </div>
  )
}

const Content = ({ content, view }: { readonly content: Wire.Content; readonly view: View.File }) => {
  switch (content.kind) {
    case "text":
      return content.text === "" ? (
        <Notice title="Empty">
          <p>This file has no bytes.</p>
        </Notice>
      ) : (
        <Code text={content.text} view={view} />
      )
    case "image":
      return (
        <div className="picture">
          <img src={`data:${content.mediaType};base64,${content.base64}`} alt={shown(view.path)} />
        </div>
      )
    case "binary":
      return (
        <Notice title="Not text">
          <p>This file is binary, or its text is in no encoding that can be told.</p>
        </Notice>
      )
    case "large":
      return (
        <Notice title="Too large to show">
          <p>
            The forge does not send files of this size. <code>git show</code> does.
          </p>
        </Notice>
      )
    case "link":
      return (
        <Notice title="A symbolic link">
          <p>
            It points to <code>{shown(content.target)}</code>.
          </p>
        </Notice>
      )
    case "submodule":
      return (
        <Notice title="A submodule">
          <p>Another repository, checked out here.</p>
        </Notice>
      )
    case "folder":
      return null
  }
}

/** The same place for ever: at the commit instead of the branch, without the search. */
const permalink = ({ lines, owner, path, repo }: View.File, { commit }: Wire.File): string => {
  const view: View.File = { _tag: "File", owner, repo, path, ref: commit, ...(lines === undefined ? {} : { lines }) }
  return new URL(View.print(view), location.href).href
}

/** A search for files of this name in its repository. */
const elsewhere = ({ owner, path, repo }: View.File): string =>
  `${quote(path.slice(path.lastIndexOf("/") + 1))} in:path repo:${owner}/${repo}`

const linesOf = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
