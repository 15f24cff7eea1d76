import { Breadcrumbs } from "../file/Breadcrumbs.tsx"
import { CommitHistory } from "../file/CommitHistory.tsx"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import type * as Route from "../model/Route.ts"

/** The commits that changed a folder or a file, each with the changes in that folder or file. */
export const HistoryView = ({ route }: { readonly route: Route.History }) => {
  const { owner, path = "", ref, repo } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.file, ViewRequests.path(route))
  const isFile = answer._tag === "Ready" && answer.value.content.kind !== "folder"
  const place: Route.File | Route.Tree = {
    _tag: isFile ? "File" : "Tree",
    owner,
    repo,
    path,
    ...(ref === undefined ? {} : { ref })
  }
  return (
    <div className="tree">
      <Breadcrumbs route={place} pinned={answer._tag === "Ready" ? answer.value : undefined} />
      {answer._tag === "Loading" && <Skeleton rows={8} isSlow={answer.slow} activity="Loading the history" />}
      {answer._tag === "Failed" && <FailureNotice {...answer} />}
      {answer._tag === "Ready" && (
        <section className="folder-history" aria-labelledby="path-history">
          <h2 id="path-history">History</h2>
          <CommitHistory route={place} commit={answer.value.commit} />
        </section>
      )}
    </div>
  )
}
