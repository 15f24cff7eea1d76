import type { Comparison } from "../../ComparisonApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useDeferredAnswer } from "../api/useDeferredAnswer.ts"
import { navigate } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Route from "../model/Route.ts"
import { CommitLines } from "./CommitLines.tsx"
import { DiffPage } from "./DiffPage.tsx"
import { RefSelect } from "./RefSelect.tsx"
import { DiffCrumbs } from "./DiffCrumbs.tsx"
import "./compare.css"

/** The comparison of two branches, tags or commits. */
export const CompareView = ({ route }: { readonly route: Route.Compare }) => {
  const { base, head, ignoreWhitespace, owner, path, repo } = route
  const isComplete = base !== undefined && head !== undefined
  const answer = useDeferredAnswer(ExplorerClient.useRequest(ExplorerClient.comparison, ViewRequests.comparison(route)))
  const { file: _, line: __, ...place } = route
  const change = (more: Partial<Route.Compare>) => navigate({ ...place, ...more })
  const swap = () => {
    const { base, head, ...rest } = place
    navigate({ ...rest, ...(head === undefined ? {} : { base: head }), ...(base === undefined ? {} : { head: base }) })
  }
  return (
    <div className="compare">
      <DiffCrumbs route={route} title="Compare" />
      <div className="compare-refs" role="group" aria-label="Compared versions">
        <RefSelect
          key={`base ${base}`}
          label="Base"
          repository={route}
          current={base}
          startsOpen={base === undefined && head !== undefined}
          onSelect={(base) => change({ base })}
        />
        <span aria-hidden="true">←</span>
        <RefSelect
          key={`head ${head}`}
          label="Head"
          repository={route}
          current={head}
          onSelect={(head) => change({ head })}
        />
        <button type="button" className="quiet" onClick={swap}>
          Swap
        </button>
      </div>
      {!isComplete && (
        <Notice title="Choose two versions">
          <p>Choose branches, tags or commits. The page then shows the changes of the head since the base.</p>
        </Notice>
      )}
      {isComplete && answer._tag === "Loading" && <Skeleton rows={10} isSlow={answer.slow} activity="Comparing" />}
      {isComplete && answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the repository</Link>
          </p>
        </FailureNotice>
      )}
      {isComplete && answer._tag === "Ready" && (
        <>
          <CommitLines comparison={answer.value} path={path} repository={route} />
          <DiffPage
            // Another comparison has other files, patches and heights.
            key={`${answer.value.from} ${answer.value.head} ${path} ${ignoreWhitespace}`}
            route={route}
            comparison={answer.value}
            empty={<Identical comparison={answer.value} route={route} onSwap={swap} />}
          />
        </>
      )}
    </div>
  )
}

const Identical = ({
  comparison: { aheadBy, behindBy },
  onSwap,
  route: { base = "", head = "", path }
}: {
  readonly comparison: Comparison
  readonly route: Route.Compare
  readonly onSwap: () => void
}) => (
  <Notice title={path === undefined ? "No changes" : "No changes of this path"}>
    {aheadBy === 0 && behindBy > 0 ? (
      <>
        <p>
          <code>{displayText(head)}</code> has no commits that <code>{displayText(base)}</code> lacks. It is{" "}
          {NumberFormat.quantity(behindBy, "commit")} behind.
        </p>
        <button type="button" onClick={onSwap}>
          Compare in the other direction
        </button>
      </>
    ) : (
      <p>
        <code>{displayText(base)}</code> and <code>{displayText(head)}</code> have the same content here.
      </p>
    )}
  </Notice>
)
