import { useMemo } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { RepositoryCrumbs } from "../components/RepositoryCrumbs.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import * as ForgeLinks from "../issue/ForgeLinks.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { ReleaseItem } from "./ReleaseItem.tsx"
import "../issue/issue.css"
import "../pull/pull.css"
import "./release.css"

/** A release with its notes and assets. */
export const ReleaseView = ({
  connection,
  route
}: {
  readonly route: Route.Release
  readonly connection: ExplorerApi.Connection
}) => {
  const { owner, repo, tag } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.release, ViewRequests.release(route))
  useScrollRestoration(Route.href(route), answer._tag === "Ready")
  useKeyboardShortcuts({ u: () => navigate({ _tag: "Releases", owner, repo }) })
  const now = useNow(false)
  const isEmbedded = connection.kind === "embedded"
  const url = answer._tag === "Ready" ? answer.value.url : ""
  const viewOf = useMemo(() => ForgeLinks.make(url, isEmbedded), [isEmbedded, url])
  return (
    <div className="issue releases">
      <RepositoryCrumbs repository={route}>
        <li>
          <Link to={{ _tag: "Releases", owner, repo }}>Releases</Link>
        </li>
        {answer._tag !== "Ready" && (
          <li>
            <h1 aria-current="page">{tag === undefined ? "Latest" : displayText(tag)}</h1>
          </li>
        )}
      </RepositoryCrumbs>
      {answer._tag === "Loading" && <Skeleton rows={4} isSlow={answer.slow} activity="Loading the release" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            <Link to={{ _tag: "Releases", owner, repo }}>Open the list of releases</Link>{" "}
            {tag !== undefined && answer.failure.kind === "NotFound" && (
              <Link to={{ _tag: "Tree", owner, repo, path: "", ref: tag }}>Open the files of the tag</Link>
            )}
          </p>
        </FailureNotice>
      )}
      {answer._tag === "Ready" && (
        <ReleaseItem release={answer.value} repository={{ owner, repo }} isPage now={now} viewOf={viewOf} />
      )}
    </div>
  )
}
