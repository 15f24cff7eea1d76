import { lazy, Suspense, useEffect, useRef, useState } from "react"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as PathText from "@tongs/core/text/PathText"
import type * as ExplorerApi from "../ExplorerApi.ts"
import type * as ExplorerClient from "./api/ExplorerClient.ts"
import { ErrorBoundary } from "./components/ErrorBoundary.tsx"
import { FailureNotice } from "./components/FailureNotice.tsx"
import { Header } from "./Header.tsx"
import { Home } from "./home/Home.tsx"
import { Skeleton } from "./components/Skeleton.tsx"
import { useConnection } from "./api/useConnection.ts"
import { useKeyboardShortcuts } from "./hooks/useKeyboardShortcuts.ts"
import { goBack, navigate, historyState, useRoute } from "./hooks/useRoute.ts"
import * as Route from "./model/Route.ts"
import * as Views from "./Views.ts"

// Loaded on demand, to keep the first load small.
const FileView = lazy(async () => ({ default: (await Views.file()).FileView }))
const FolderView = lazy(async () => ({ default: (await Views.folder()).FolderView }))
const CompareView = lazy(async () => ({ default: (await Views.compare()).CompareView }))
const CommitView = lazy(async () => ({ default: (await Views.commit()).CommitView }))
const IssueView = lazy(async () => ({ default: (await Views.issue()).IssueView }))
const IssueListView = lazy(async () => ({ default: (await Views.issues()).IssueListView }))
const PullView = lazy(async () => ({ default: (await Views.pull()).PullView }))
const ReleaseView = lazy(async () => ({ default: (await Views.release()).ReleaseView }))
const ReleaseListView = lazy(async () => ({ default: (await Views.releases()).ReleaseListView }))
const RunView = lazy(async () => ({ default: (await Views.run()).RunView }))
const RunListView = lazy(async () => ({ default: (await Views.runs()).RunListView }))
const RepositoryLayout = lazy(async () => ({ default: (await Views.layout()).RepositoryLayout }))
const SearchView = lazy(async () => ({ default: (await Views.search()).SearchView }))
const NewResultsView = lazy(async () => ({ default: (await import("./saved/NewResultsView.tsx")).NewResultsView }))
const SavedSearchWatcher = lazy(async () => ({
  default: (await import("./saved/SavedSearchWatcher.tsx")).SavedSearchWatcher
}))
const HistoryView = lazy(async () => ({ default: (await import("./commit/HistoryView.tsx")).HistoryView }))
const UnindexedFiles = lazy(async () => ({ default: (await import("./home/UnindexedFiles.tsx")).UnindexedFiles }))
const HelpDialog = lazy(async () => ({ default: (await import("./HelpDialog.tsx")).HelpDialog }))

/** The page: the header and the view of the current route. `earlyInput` gives the text typed before React started. */
export const App = ({ earlyInput }: { readonly earlyInput: () => string }) => {
  const route = useRoute()
  const box = useRef<HTMLInputElement>(null)
  const connection = useConnection()
  const [isHelpOpen, setIsHelpOpen] = useState(false)

  useKeyboardShortcuts({
    "/": () => {
      box.current?.focus()
      box.current?.select()
    },
    "?": () => setIsHelpOpen(true),
    Escape: () => {
      const q = Route.queryOf(route)
      if (route._tag === "Home") box.current?.focus()
      else if (historyState().isFromResults === true) goBack()
      else navigate(route._tag === "Search" || q === "" ? Route.home : { _tag: "Search", q })
    }
  })

  useEffect(() => {
    document.title = titleOf(route)
  })

  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header
        earlyInput={earlyInput}
        route={route}
        box={box}
        connection={connection}
        onHelp={() => setIsHelpOpen(true)}
      />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary url={Route.href(route)}>
          <Suspense fallback={<Skeleton rows={6} isSlow={false} activity="Loading" />}>
            {connection._tag === "Ready" && <View route={route} connection={connection.value} />}
            {connection._tag === "Loading" && <Skeleton rows={6} isSlow={connection.slow} activity="Connecting" />}
            {connection._tag === "Failed" && <FailureNotice {...connection} />}
          </Suspense>
        </ErrorBoundary>
      </main>
      <Suspense>{hasIndex(connection) && <SavedSearchWatcher />}</Suspense>
      <Suspense>
        {isHelpOpen && <HelpDialog onClose={() => setIsHelpOpen(false)} hasIndex={hasIndex(connection)} />}
      </Suspense>
    </>
  )
}

const View = ({ connection, route }: { readonly route: Route.Route; readonly connection: ExplorerApi.Connection }) => {
  switch (route._tag) {
    case "Home":
      return <Home connection={connection} />
    case "Search":
      return <SearchView route={route} connection={connection} />
    case "Tree":
    case "File":
      return (
        <RepositoryLayout route={route}>
          <Suspense fallback={<Skeleton rows={6} isSlow={false} activity="Loading" />}>
            {route._tag === "Tree" ? (
              <FolderView route={route} />
            ) : (
              <FileView key={`${route.owner}/${route.repo}`} route={route} />
            )}
          </Suspense>
        </RepositoryLayout>
      )
    case "Compare":
      return <CompareView route={route} />
    case "Commit":
      return <CommitView route={route} />
    case "History":
      return <HistoryView route={route} />
    case "Issue":
      return <IssueView key={`${route.owner}/${route.repo}#${route.number}`} route={route} connection={connection} />
    case "Issues":
    case "Pulls":
      return <IssueListView route={route} />
    case "Pull":
      return <PullView key={`${route.owner}/${route.repo}#${route.number}`} route={route} connection={connection} />
    case "Release":
      return <ReleaseView route={route} connection={connection} />
    case "Releases":
      return <ReleaseListView route={route} connection={connection} />
    case "Run":
      return <RunView key={`${route.owner}/${route.repo}#${route.id}`} route={route} connection={connection} />
    case "Runs":
      return <RunListView route={route} connection={connection} />
    case "UnindexedFiles":
      return <UnindexedFiles route={route} />
    case "NewResults":
      return <NewResultsView route={route} />
  }
}

const hasIndex = (connection: ExplorerClient.RequestState<ExplorerApi.Connection>): boolean =>
  connection._tag === "Ready" && connection.value.capabilities.index

const titleOf = (route: Route.Route): string => {
  switch (route._tag) {
    case "Home":
      return "Tongs"
    case "Search":
      return `${route.q} · Tongs`
    case "Tree":
      return `${route.path === "" ? "" : `${route.path} · `}${route.owner}/${route.repo} · Tongs`
    case "File":
      return `${PathText.nameOf(route.path)} · ${route.owner}/${route.repo} · Tongs`
    case "Compare":
      return `${route.base ?? ""}…${route.head ?? ""} · ${route.owner}/${route.repo} · Tongs`
    case "History":
      return `History · ${route.path ?? ""} ${route.owner}/${route.repo} · Tongs`
    case "Commit":
      return `${AbbreviatedId.of(route.ref)} · ${route.owner}/${route.repo} · Tongs`
    case "Issue":
    case "Pull":
      return `#${route.number} · ${route.owner}/${route.repo} · Tongs`
    case "Issues":
      return `Issues · ${route.owner}/${route.repo} · Tongs`
    case "Pulls":
      return `Pull requests · ${route.owner}/${route.repo} · Tongs`
    case "Release":
      return `${route.tag ?? "Latest release"} · ${route.owner}/${route.repo} · Tongs`
    case "Releases":
      return `Releases · ${route.owner}/${route.repo} · Tongs`
    case "Run":
      return `Run ${route.id} · ${route.owner}/${route.repo} · Tongs`
    case "Runs":
      return `Actions · ${route.owner}/${route.repo} · Tongs`
    case "UnindexedFiles":
      return `Files not indexed · ${route.owner}/${route.repo} · Tongs`
    case "NewResults":
      return "New results · Tongs"
  }
}
