/** The page: its header, and the view that the URL names. */
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import type * as Wire from "../Wire.ts"
import type * as Api from "./Api.ts"
import { Boundary } from "./Boundary.tsx"
import { FailureNote } from "./FailureNote.tsx"
import { Header } from "./Header.tsx"
import { Home } from "./home/Home.tsx"
import { Skeleton } from "./Skeleton.tsx"
import { useConnection } from "./useConnection.ts"
import { useKeys } from "./useKeys.ts"
import { back, go, memory, useView } from "./useView.ts"
import * as View from "./View.ts"

// What the first view seldom needs comes when it is asked for.
const FileView = lazy(async () => ({ default: (await import("./FileView.tsx")).FileView }))
const TreeView = lazy(async () => ({ default: (await import("./TreeView.tsx")).TreeView }))
const LeftOut = lazy(async () => ({ default: (await import("./home/LeftOut.tsx")).LeftOut }))
const Results = lazy(async () => ({ default: (await import("./search/Results.tsx")).Results }))
const Help = lazy(async () => ({ default: (await import("./Help.tsx")).Help }))

/** `early` gives what was typed before the page was there. */
export const App = ({ early }: { readonly early: () => string }) => {
  const view = useView()
  const box = useRef<HTMLInputElement>(null)
  const connection = useConnection()
  const [hasHelp, setHasHelp] = useState(false)

  useKeys({
    "/": () => {
      box.current?.focus()
      box.current?.select()
    },
    "?": () => setHasHelp(true),
    Escape: () => {
      const q = View.queryOf(view)
      if (view._tag === "Home") box.current?.focus()
      else if (memory().isFromResults === true) back()
      else go(view._tag === "Search" || q === "" ? View.home : { _tag: "Search", q })
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
        <Boundary of={View.print(view)}>
          <Suspense fallback={<Skeleton rows={6} slow={false} what="Loading" />}>
            {connection._tag === "Ready" && <Shown view={view} connection={connection.value} />}
            {connection._tag === "Loading" && <Skeleton rows={6} slow={connection.slow} what="Connecting" />}
            {connection._tag === "Failed" && <FailureNote {...connection} />}
          </Suspense>
        </Boundary>
      </main>
      <Suspense>{hasHelp && <Help onClose={() => setHasHelp(false)} hasIndex={hasIndex(connection)} />}</Suspense>
    </>
  )
}

const Shown = ({ connection, view }: { readonly view: View.View; readonly connection: Wire.Connection }) => {
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

const titleOf = (view: View.View): string => {
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
