/** The page: its header, and the view that the URL names. */
import { useEffect, useRef } from "react"
import type * as Wire from "../Wire.ts"
import type * as Api from "./Api.ts"
import { FileView } from "./FileView.tsx"
import { Header } from "./Header.tsx"
import { Help } from "./Help.tsx"
import { Home } from "./Home.tsx"
import { Results } from "./Results.tsx"
import { TreeView } from "./TreeView.tsx"
import { useConnection } from "./useConnection.ts"
import { useKeys } from "./useKeys.ts"
import { go, memory, useView } from "./useView.ts"
import * as View from "./View.ts"

export const App = () => {
  const view = useView()
  const box = useRef<HTMLInputElement>(null)
  const help = useRef<HTMLDialogElement>(null)
  const connection = useConnection()

  useKeys({
    "/": () => box.current?.select(),
    "?": () => help.current?.showModal(),
    Escape: () => {
      const q = View.queryOf(view)
      if (view._tag === "Home") box.current?.focus()
      else if (memory().isFromResults === true) history.back()
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
      <Header view={view} box={box} connection={connection} onHelp={() => help.current?.showModal()} />
      <main id="main" tabIndex={-1}>
        <Shown view={view} connection={connection} />
      </main>
      <Help ref={help} />
    </>
  )
}

const Shown = ({
  connection,
  view
}: {
  readonly view: View.View
  readonly connection: Api.Answer<Wire.Connection>
}) => {
  switch (view._tag) {
    case "Home":
      return <Home connection={connection} />
    case "Search":
      return <Results q={view.q} />
    case "Tree":
      return <TreeView view={view} />
    case "File":
      return <FileView key={`${view.owner}/${view.repo}/${view.path}@${view.ref}`} view={view} />
  }
}

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
  }
}
