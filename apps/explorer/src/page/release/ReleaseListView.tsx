import { useMemo, useRef } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { RepositoryCrumbs } from "../components/RepositoryCrumbs.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import * as ForgeLinks from "../issue/ForgeLinks.ts"
import * as Route from "../model/Route.ts"
import { ReleaseItem } from "./ReleaseItem.tsx"
import "../issue/issue.css"
import "../pull/pull.css"
import "./release.css"

/** The releases of a repository with their notes, the newest first. */
export const ReleaseListView = ({
  connection,
  route
}: {
  readonly route: Route.Releases
  readonly connection: ExplorerApi.Connection
}) => {
  const { owner, page = 1, repo } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.releases, ViewRequests.releases(route))
  useScrollRestoration(Route.href(route), answer._tag === "Ready")
  const list = useRef<HTMLUListElement>(null)
  const step = (by: 1 | -1) => () => moveFocus(list.current, by, ".release-title a")
  const openRepository = () => navigate({ _tag: "Tree", owner, repo, path: "" })
  useKeyboardShortcuts({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1), u: openRepository })
  const now = useNow(false)
  const isEmbedded = connection.kind === "embedded"
  const url = answer._tag === "Ready" ? (answer.value.releases[0]?.url ?? "") : ""
  const viewOf = useMemo(() => ForgeLinks.make(url, isEmbedded), [isEmbedded, url])
  const to = (page: number): Route.Releases => ({ _tag: "Releases", owner, repo, ...(page === 1 ? {} : { page }) })
  return (
    <div className="issues releases">
      <RepositoryCrumbs repository={route}>
        <li>
          <h1 aria-current="page">Releases</h1>
        </li>
      </RepositoryCrumbs>
      {answer._tag === "Loading" && <Skeleton rows={6} isSlow={answer.slow} activity="Loading the releases" />}
      {answer._tag === "Failed" && <FailureNotice {...answer} />}
      {answer._tag === "Ready" && answer.value.releases.length === 0 && (
        <Notice title={page > 1 ? "No such page" : "No releases"}>
          <p>{page > 1 ? "The list is shorter." : "This repository has no releases."}</p>
        </Notice>
      )}
      {answer._tag === "Ready" && answer.value.releases.length > 0 && (
        <ul ref={list} className="release-list">
          {answer.value.releases.map((release) => (
            <li key={release.id}>
              <ReleaseItem release={release} repository={{ owner, repo }} isPage={false} now={now} viewOf={viewOf} />
            </li>
          ))}
        </ul>
      )}
      {answer._tag === "Ready" && (page > 1 || answer.value.next !== null) && (
        <nav className="issue-pages" aria-label="Pages">
          {page > 1 && <Link to={to(page - 1)}>Newer</Link>}
          <span className="dim">Page {NumberFormat.format(page)}</span>
          {answer.value.next !== null && <Link to={to(answer.value.next)}>Older</Link>}
        </nav>
      )}
    </div>
  )
}
