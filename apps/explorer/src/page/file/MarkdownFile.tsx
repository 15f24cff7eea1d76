import { lazy, Suspense, useState } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useConnection } from "../api/useConnection.ts"
import * as Route from "../model/Route.ts"
import { FileInfo } from "./FileInfo.tsx"
import { FileLinks } from "./FileLinks.tsx"
import { Toolbar, ToolbarButton, ToolbarCopyButton } from "./Toolbar.tsx"

const MarkdownView = lazy(async () => ({ default: (await import("../markdown/MarkdownView.tsx")).MarkdownView }))

/** The preview of a Markdown file. History and blame are beside the code. */
export const MarkdownFile = ({
  file,
  route,
  text
}: {
  readonly file: ExplorerApi.File
  readonly text: string
  readonly route: Route.File
}) => {
  const [isRendered, setIsRendered] = useState(false)
  const connection = useConnection()
  const hasIndex = connection._tag === "Ready" && connection.value.capabilities.index
  const showHistory = () => navigate({ ...route, side: "history" })
  const showBlame = () => navigate({ ...route, blame: true })
  useKeyboardShortcuts({ h: showHistory, ...(hasIndex ? { b: showBlame } : {}) })
  useScrollRestoration(Route.href({ ...route, anchor: undefined }), isRendered && route.anchor === undefined)
  const { commit, owner, path, ref, repo } = file
  return (
    <>
      <Toolbar info={<FileInfo file={file} text={text} />}>
        <ToolbarButton icon="history" label="History" shortcut="h" onClick={showHistory} />
        {hasIndex && <ToolbarButton icon="blame" label="Blame" shortcut="b" onClick={showBlame} />}
        <ToolbarCopyButton icon="copy" label="Copy" text={() => text} />
        <FileLinks file={file} route={route} raw="Raw" />
      </Toolbar>
      <div className="preview">
        <Suspense fallback={<p className="dim">Loading the preview…</p>}>
          <MarkdownView file={{ owner, repo, path, ref, commit }} text={text} onRendered={() => setIsRendered(true)} />
        </Suspense>
      </div>
    </>
  )
}
