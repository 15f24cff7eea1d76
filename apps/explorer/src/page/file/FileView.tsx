/** A file: where it is, what it is, its text. */
import { type ReactNode, useEffect } from "react"
import { quote } from "@tongs/core/query/Qualifier"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { FileInfo } from "./FileInfo.tsx"
import { Icon } from "./Icon.tsx"
import * as Permalinks from "../model/Permalinks.ts"
import { TextFileView } from "./TextFileView.tsx"
import { ToolbarCopyButton, Toolbar } from "./Toolbar.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Breadcrumbs } from "./Breadcrumbs.tsx"
import { displayText } from "../model/displayText.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

export const FileView = ({ view }: { readonly view: Route.File }) => {
  const { owner, path, ref, repo } = view
  const answer = Api.useAnswer(Api.file, { owner, repo, path, ref })
  const file = answer._tag === "Ready" ? answer.value : undefined
  const isFolder = file?.content.kind === "folder"
  useEffect(() => {
    if (isFolder) navigate({ ...view, _tag: "Tree" }, { replace: true })
  }, [isFolder, view])
  useKeyboardShortcuts({ u: () => navigate(above(view)) })
  return (
    <div className="file">
      <Breadcrumbs view={view} pinned={file} />
      {answer._tag === "Loading" && <Skeleton rows={10} slow={answer.slow} what="Loading the file" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="ways">
            {ref !== undefined && <Link to={{ _tag: "File", owner, repo, path }}>Look on the default branch</Link>}
            <Link to={{ _tag: "Search", q: elsewhere(view) }}>Look for this name</Link>
            <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the repository</Link>
          </p>
        </FailureNotice>
      )}
      {file !== undefined && <Content file={file} view={view} />}
    </div>
  )
}

const Content = ({ file, view }: { readonly file: Wire.File; readonly view: Route.File }) => {
  const { content } = file
  switch (content.kind) {
    case "text":
      return content.text === "" ? (
        <Other file={file} view={view}>
          <Notice title="Empty">
            <p>This file has no bytes.</p>
          </Notice>
        </Other>
      ) : (
        <TextFileView file={file} text={content.text} view={view} />
      )
    case "image":
      return (
        <Other file={file} view={view} raw="Raw">
          <div className="picture">
            <img src={`data:${content.mediaType};base64,${content.base64}`} alt={displayText(view.path)} />
          </div>
        </Other>
      )
    case "binary":
      return (
        <Other file={file} view={view} raw="Download">
          <Notice title="Not text">
            <p>This file is binary, or its text is in another encoding than UTF-8.</p>
          </Notice>
        </Other>
      )
    case "large":
      return (
        <Other file={file} view={view} raw="Raw">
          <Notice title="Too large to show here">
            <p>The browser can show it as plain text, without colours and search.</p>
          </Notice>
        </Other>
      )
    case "link":
      return (
        <Other file={file} view={view}>
          <Notice title="A symbolic link">
            <p>
              It points to{" "}
              {follow(view, content.target) === undefined ? (
                <code>{displayText(content.target)}</code>
              ) : (
                <Link to={follow(view, content.target) ?? view}>
                  <code>{displayText(content.target)}</code>
                </Link>
              )}
              .
            </p>
          </Notice>
        </Other>
      )
    case "submodule":
      return (
        <Other file={file} view={view}>
          <Notice title="A submodule">
            <p>
              Another repository is checked out here, at <code>{content.commit.slice(0, 10)}</code>.
            </p>
            {content.url !== null && (
              <p>
                It comes from <code>{displayText(content.url)}</code>.
              </p>
            )}
          </Notice>
        </Other>
      )
    case "folder":
      return null
  }
}

/** What is no text has fewer tools. `raw` is what the link to its bytes is called. */
const Other = ({
  children,
  file,
  raw,
  view
}: {
  readonly file: Wire.File
  readonly view: Route.File
  readonly raw?: string
  readonly children: ReactNode
}) => (
  <>
    <Toolbar facts={<FileInfo file={file} />}>
      <ToolbarCopyButton
        icon="link"
        label="Link"
        text={() => Permalinks.absoluteUrl(Permalinks.permalink(view, file.commit))}
      />
      {raw !== undefined && (
        <a className="tool" href={Permalinks.rawUrl(file)} target="_blank" rel="noopener" aria-label={raw}>
          <Icon name="raw" />
          <span aria-hidden="true">{raw}</span>
        </a>
      )}
    </Toolbar>
    <div className="pane plain">{children}</div>
  </>
)

/** The folder that the file is in. */
const above = ({ owner, path, q, ref, repo }: Route.File): Route.Tree => ({
  _tag: "Tree",
  owner,
  repo,
  path: path.split("/").slice(0, -1).join("/"),
  ...(ref === undefined ? {} : { ref }),
  ...(q === undefined ? {} : { q })
})

/** Where a symbolic link leads, while it stays in the repository. */
const follow = (view: Route.File, target: string): Route.File | undefined => {
  if (target === "" || target.startsWith("/")) return undefined
  const parts = view.path.split("/").slice(0, -1)
  for (const part of target.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined
    } else if (part !== "." && part !== "") parts.push(part)
  }
  return { ...view, path: parts.join("/"), lines: undefined }
}

/** A search for files of this name in its repository. */
const elsewhere = ({ owner, path, repo }: Route.File): string =>
  `${quote(path.slice(path.lastIndexOf("/") + 1))} in:path repo:${owner}/${repo}`
