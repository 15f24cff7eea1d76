import { type ReactNode, useEffect, useState } from "react"
import { quote } from "@tongs/core/query/Qualifier"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as PathText from "@tongs/core/text/PathText"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { FileInfo } from "./FileInfo.tsx"
import { FileLinks } from "./FileLinks.tsx"
import { ImageView } from "./ImageView.tsx"
import { MarkdownFile } from "./MarkdownFile.tsx"
import { PreviewTabs } from "./PreviewTabs.tsx"
import { setPreview, usePreview } from "./usePreview.ts"
import * as ReadmeFile from "../model/ReadmeFile.ts"
import { TextFileView } from "./TextFileView.tsx"
import { Toolbar, ToolbarStart } from "./Toolbar.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Breadcrumbs } from "./Breadcrumbs.tsx"
import { displayText } from "../model/displayText.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"
import { FileUses } from "../navigation/FileUses.tsx"
import * as UsesReader from "../navigation/UsesReader.ts"

/** A file: path, information and content, and the panel of uses, which remains while the next file loads. */
export const FileView = ({ route }: { readonly route: Route.File }) => {
  const { owner, path, repo, uses } = route
  const [reader] = useState(UsesReader.make)
  return (
    <div className="file">
      <FileBody key={`${owner}/${repo}/${path}`} route={route} reader={reader} />
      {uses !== undefined && <FileUses route={route} uses={uses} reader={reader} />}
    </div>
  )
}

interface Props {
  readonly route: Route.File
  readonly reader: UsesReader.UsesReaderStore
}

const FileBody = ({ reader, route }: Props) => {
  const { owner, path, ref, repo } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.file, ViewRequests.path(route))
  const file = answer._tag === "Ready" ? answer.value : undefined
  const isFolder = file?.content.kind === "folder"
  useEffect(() => {
    if (isFolder) navigate({ ...route, _tag: "Tree" }, { replace: true })
  }, [isFolder, route])
  useKeyboardShortcuts({ u: () => navigate(Route.parent(route) ?? route) })
  return (
    <>
      <Breadcrumbs route={route} pinned={file} />
      {answer._tag === "Loading" && <Skeleton rows={10} isSlow={answer.slow} activity="Loading the file" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            {ref !== undefined && <Link to={{ _tag: "File", owner, repo, path }}>Open on the default branch</Link>}
            <Link to={{ _tag: "Search", q: fileNameQuery(route) }}>Search for this file name</Link>
            <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the repository</Link>
          </p>
        </FailureNotice>
      )}
      {file !== undefined && <Content file={file} route={route} reader={reader} />}
    </>
  )
}

const Content = ({ file, reader, route }: Props & { readonly file: ExplorerApi.File }) => {
  const { content } = file
  const target = content.kind === "link" ? resolveLink(route, content.target) : undefined
  switch (content.kind) {
    case "text":
      return content.text === "" ? (
        <NonTextFile file={file} route={route}>
          <Notice title="Empty file">
            <p>This file has no content.</p>
          </Notice>
        </NonTextFile>
      ) : (
        <TextContent file={file} text={content.text} route={route} reader={reader} />
      )
    case "image":
      return <ImageView file={file} route={route} />
    case "binary":
      return (
        <NonTextFile file={file} route={route} raw="Download">
          <Notice title={binaryTitle(route.path)}>
            <p>This file is binary, or not encoded as UTF-8. Download it to open it.</p>
          </Notice>
        </NonTextFile>
      )
    case "large":
      return (
        <NonTextFile file={file} route={route} raw="Raw">
          <Notice title="File too large">
            <p>Open it as plain text, without highlighting and search.</p>
          </Notice>
        </NonTextFile>
      )
    case "link":
      return (
        <NonTextFile file={file} route={route}>
          <Notice title="Symbolic link">
            <p>
              It points to{" "}
              {target === undefined ? (
                <code>{displayText(content.target)}</code>
              ) : (
                <Link to={target}>
                  <code>{displayText(content.target)}</code>
                </Link>
              )}
              .
            </p>
          </Notice>
        </NonTextFile>
      )
    case "submodule":
      return (
        <NonTextFile file={file} route={route}>
          <Notice title="Submodule">
            <p>
              Another repository is checked out here at commit <code>{AbbreviatedId.of(content.commit)}</code>.
            </p>
            {content.url !== null && (
              <p>
                Its URL is <code>{displayText(content.url)}</code>.
              </p>
            )}
          </Notice>
        </NonTextFile>
      )
    case "folder":
      return null
  }
}

/** UTF-16 units above which a Markdown file has no preview. */
const MAX_PREVIEW = 1_000_000

/** A text file: the code, or for Markdown and SVG the preview. A link to lines opens the code. */
const TextContent = ({
  file,
  reader,
  route,
  text
}: Props & {
  readonly file: ExplorerApi.File
  readonly text: string
}) => {
  const isChosen = usePreview()
  const isSvg = /\.svg$/i.test(route.path)
  const hasPreview = (isSvg || ReadmeFile.isMarkdown(route.path)) && text.length <= MAX_PREVIEW
  const needsCode = route.lines !== undefined || route.blame === true || route.side !== undefined
  const isPreview = hasPreview && isChosen && !needsCode
  const change = (isPreview: boolean) => {
    setPreview(isPreview)
    const { blame: _blame, lines: _lines, side: _side, ...rest } = route
    if (isPreview && needsCode) navigate(rest, { replace: true })
  }
  useKeyboardShortcuts(hasPreview ? { v: () => change(!isPreview) } : {})
  return (
    <ToolbarStart value={hasPreview ? <PreviewTabs isPreview={isPreview} onChange={change} /> : null}>
      {!isPreview ? (
        <TextFileView file={file} text={text} route={route} reader={reader} />
      ) : isSvg ? (
        <ImageView file={file} route={route} />
      ) : (
        <MarkdownFile file={file} text={text} route={route} />
      )}
    </ToolbarStart>
  )
}

/** The probable kind of a binary file, by the extension. */
const binaryTitle = (path: string): string => {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase()
  if (extension === "pdf") return "PDF document"
  if (/^(?:mp4|webm|mov|mkv|avi|m4v)$/.test(extension)) return "Video"
  if (/^(?:mp3|wav|ogg|flac|m4a|opus)$/.test(extension)) return "Audio file"
  return "Binary file"
}

/** A file without text. `raw` is the label of the link to its bytes. */
const NonTextFile = ({
  children,
  file,
  raw,
  route
}: {
  readonly file: ExplorerApi.File
  readonly route: Route.File
  readonly raw?: string
  readonly children: ReactNode
}) => (
  <>
    <Toolbar info={<FileInfo file={file} />}>
      <FileLinks file={file} route={route} raw={raw} />
    </Toolbar>
    <div className="pane plain">{children}</div>
  </>
)

/** The target of a symbolic link; undefined for a target outside the repository. */
const resolveLink = (route: Route.File, target: string): Route.File | undefined => {
  if (target === "" || target.startsWith("/")) return undefined
  const parts = route.path.split("/").slice(0, -1)
  for (const part of target.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined
    } else if (part !== "." && part !== "") parts.push(part)
  }
  return { ...route, path: parts.join("/"), lines: undefined }
}

/** A query for files of this name in the repository. */
const fileNameQuery = ({ owner, path, repo }: Route.File): string =>
  `${quote(PathText.nameOf(path))} in:path repo:${owner}/${repo}`
