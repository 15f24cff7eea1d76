import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { EntryChange } from "@tongs/core/contract/groups/History"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { useConnection } from "../api/useConnection.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Age } from "./Age.tsx"
import { Breadcrumbs } from "./Breadcrumbs.tsx"
import { EntryList } from "./EntryList.tsx"
import { Readme } from "./Readme.tsx"
import { displayText } from "../model/displayText.ts"
import * as ReadmeFile from "../model/ReadmeFile.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate } from "../hooks/useRoute.ts"
import { openFinder } from "../hooks/useTreePanel.ts"
import * as Route from "../model/Route.ts"

/** The entries of a folder with the last commit of each, and the README. */
export const FolderView = ({ route }: { readonly route: Route.Tree }) => {
  const { owner, path, ref, repo } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.tree, ViewRequests.path(route))
  const folder = answer._tag === "Ready" ? answer.value : undefined
  const entries = folder?.entries
  const parent = Route.parent(route)
  const openParent = () => parent !== undefined && navigate(parent)
  useKeyboardShortcuts({ u: openParent, Backspace: openParent })
  const commits = useLastCommits(folder)
  const now = useNow(false)
  const readme = useMemo(() => (entries === undefined ? undefined : ReadmeFile.find(entries)), [entries])
  const latest = useMemo(() => latestOf(commits), [commits])
  return (
    <div className="tree">
      <Breadcrumbs route={route} pinned={folder} />
      {answer._tag === "Loading" && <Skeleton rows={8} isSlow={answer.slow} activity="Loading the folder" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            {answer.failure.kind === "NotFound" && path !== "" && (
              <Link to={{ ...route, _tag: "File" }}>Open it as a file</Link>
            )}
            {ref !== undefined && <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the default branch</Link>}
          </p>
        </FailureNotice>
      )}
      {entries?.length === 0 && (
        <Notice title="Empty folder">
          <p>This folder has no files.</p>
        </Notice>
      )}
      {folder !== undefined && entries !== undefined && entries.length < folder.total && (
        <p className="entries-cut" role="note">
          {NumberFormat.format(entries.length)} of {NumberFormat.quantity(folder.total, "entry", "entries")}.
          {/* A forge that lists the commits also has the extension of the finder. */}
          {commits !== undefined && (
            <>
              {" "}
              <button type="button" className="link-button" onClick={openFinder}>
                Find the others by name
              </button>
            </>
          )}
        </p>
      )}
      {entries !== undefined && entries.length > 0 && (
        <div className="listing">
          {commits !== undefined && (
            <p className="latest-commit">
              {latest === undefined ? (
                <span className="dim">Reading the history…</span>
              ) : (
                <>
                  <bdi className="latest-author">{displayText(latest.author)}</bdi>
                  <Link className="latest-summary" to={{ _tag: "Commit", owner, repo, ref: latest.commit }}>
                    {displayText(latest.summary)}
                  </Link>
                  <code>{AbbreviatedId.of(latest.commit)}</code>
                  <Age date={String(latest.date)} now={now} />
                </>
              )}
            </p>
          )}
          {/* Another folder starts with separate rows and a separate offset. */}
          <EntryList key={Route.href(route)} entries={entries} route={route} commits={commits} now={now} />
        </div>
      )}
      {folder !== undefined && readme !== undefined && (
        <Readme key={readme.path} folder={folder} path={readme.path} route={route} />
      )}
    </div>
  )
}

/** Milliseconds before an incomplete response is requested again. The forge continues to read meanwhile. */
const RETRY_DELAY = 3_000

/** Maximum number of repeated requests. */
const MAX_RETRIES = 6

/** The known last commits of the entries by path. Undefined on a forge without this list. */
const useLastCommits = (folder: ExplorerApi.Folder | undefined): ReadonlyMap<string, EntryChange> | undefined => {
  const connection = useConnection()
  const hasHistory = connection._tag === "Ready" && connection.value.capabilities.index
  const { data } = useQuery({
    ...ExplorerClient.queryOptions(
      ExplorerClient.folderHistory,
      folder === undefined
        ? {}
        : { owner: folder.owner, repo: folder.repo, path: folder.path === "" ? "/" : folder.path, ref: folder.commit }
    ),
    enabled: hasHistory && folder !== undefined,
    // Comparing thousands of entries with the last response would take longer than rendering the visible entries.
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      state.data?.incomplete_results === true && state.dataUpdateCount <= MAX_RETRIES ? RETRY_DELAY : false
  })
  return useMemo(
    () => (hasHistory ? new Map(data?.entries.map((entry) => [entry.path, entry])) : undefined),
    [data, hasHistory]
  )
}

const latestOf = (commits: ReadonlyMap<string, EntryChange> | undefined): EntryChange | undefined => {
  let latest: EntryChange | undefined
  for (const change of commits?.values() ?? []) {
    if (latest === undefined || Date.parse(String(change.date)) > Date.parse(String(latest.date))) latest = change
  }
  return latest
}
