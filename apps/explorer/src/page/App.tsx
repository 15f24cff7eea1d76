/** The page: its header, and the view that the URL names. */
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import type * as Wire from "../Wire.ts"
import type * as Api from "./Api.ts"
import { ErrorBoundary } from "./components/ErrorBoundary.tsx"
import { FailureNotice } from "./components/FailureNotice.tsx"
import { Header } from "./Header.tsx"
import { Home } from "./home/Home.tsx"
import { Skeleton } from "./components/Skeleton.tsx"
import { useConnection } from "./api/useConnection.ts"
import { useKeyboardShortcuts } from "./hooks/useKeyboardShortcuts.ts"
import { goBack, navigate, historyState, useRoute } from "./hooks/useRoute.ts"
import * as Route from "./model/Route.ts"

// What the first view seldom needs comes when it is asked for.
const FileView = lazy(async () => ({ default: (await import("./file/FileView.tsx")).FileView }))
const TreeView = lazy(async () => ({ default: (await import("./file/FolderView.tsx")).FolderView }))
const LeftOut = lazy(async () => ({ default: (await import("./home/UnindexedFiles.tsx")).UnindexedFiles }))
const Results = lazy(async () => ({ default: (await import("./search/SearchView.tsx")).SearchView }))
const Help = lazy(async () => ({ default: (await import("./HelpDialog.tsx")).HelpDialog }))

/** `early` gives what was typed before the page was there. */
export const App = ({ early }: { readonly early: () => string }) => {
  const view = useRoute()
  const box = useRef<HTMLInputElement>(null)
  const connection = useConnection()
  const [hasHelp, setHasHelp] = useState(false)

  useKeyboardShortcuts({
    "/": () => {
      box.current?.focus()
      box.current?.select()
    },
    "?": () => setHasHelp(true),
    Escape: () => {
      const q = Route.queryOf(view)
      if (view._tag === "Home") box.current?.focus()
      else if (historyState().isFromResults === true) goBack()
      else navigate(view._tag === "Search" || q === "" ? Route.home : { _tag: "Search", q })
    }
  })

  useEffect(() => {
    document.title = titleOf(view)
  })

  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header early={early} view={view} box={box} connection={connection} onHelp={() => setHasHelp(true)} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary of={Route.href(view)}>
          <Suspense fallback={<Skeleton rows={6} slow={false} what="Loading" />}>
            {connection._tag === "Ready" && <Shown view={view} connection={connection.value} />}
            {connection._tag === "Loading" && <Skeleton rows={6} slow={connection.slow} what="Connecting" />}
            {connection._tag === "Failed" && <FailureNotice {...connection} />}
          </Suspense>
        </ErrorBoundary>
      </main>
      <Suspense>{hasHelp && <Help onClose={() => setHasHelp(false)} hasIndex={hasIndex(connection)} />}</Suspense>
    </>
  )
}

const Shown = ({ connection, view }: { readonly view: Route.Route; readonly connection: Wire.Connection }) => {
  switch (view._tag) {
    case "Home":
      return <Home connection={connection} />
    case "Search":
      return <Results view={view} connection={connection} />
    case "Tree":
      return <TreeView view={view} />
    case "File":
      return <FileView key={`${view.owner}/${view.repo}/${view.path}`} view={view} />
    case "LeftOut":
      return <LeftOut view={view} />
  }
}

const hasIndex = (connection: Api.Answer<Wire.Connection>): boolean =>
  connection._tag === "Ready" && connection.value.capabilities.index

const titleOf = (view: Route.Route): string => {
  switch (view._tag) {
    case "Home":
      return "Tongs"
    case "Search":
      return `${view.q} · Tongs`
    case "Tree":
      return `${view.path === "" ? "" : `${view.path} · `}${view.owner}/${view.repo} · Tongs`
    case "File":
      return `${view.path.slice(view.path.lastIndexOf("/") + 1)} · ${view.owner}/${view.repo} · Tongs`
    case "LeftOut":
      return `Left out · ${view.owner}/${view.repo} · Tongs`
  }
}
