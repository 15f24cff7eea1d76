import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { displayText } from "../model/displayText.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useScrollRestoration } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

/** The files of a repository that the index skips, by reason. */
export const UnindexedFiles = ({ route }: { readonly route: Route.UnindexedFiles }) => {
  const { owner, repo } = route
  const answer = ExplorerClient.useAll(ExplorerClient.leftOut, { owner, repo })
  useScrollRestoration("unindexed", answer._tag === "Ready")
  return (
    <div className="unindexed">
      <p className="breadcrumbs">
        <Link to={{ _tag: "Tree", owner, repo, path: "" }}>
          <span className="dim">{displayText(owner)}/</span>
          {displayText(repo)}
        </Link>
      </p>
      <h1>Files not indexed</h1>
      {answer._tag === "Loading" && <Skeleton rows={4} isSlow={answer.slow} activity="Loading the list" />}
      {answer._tag === "Failed" && <FailureNotice {...answer} />}
      {answer._tag === "Ready" &&
        (answer.value.length === 0 ? (
          <Notice title="All files are indexed">
            <p>Every file of the default branch is searchable.</p>
          </Notice>
        ) : (
          reasons.map(({ explanation, reason, title }) => {
            const files = answer.value.filter((file) => file.reason === reason)
            if (files.length === 0) return null
            return (
              <section key={reason}>
                <h2>
                  {title} <span className="dim">{NumberFormat.quantity(files.length, "file")}</span>
                </h2>
                <p className="dim">{explanation}</p>
                <ul className="entries">
                  {files.map(({ path, size }) => (
                    <li key={path}>
                      <Link to={{ _tag: "File", owner, repo, path }} className="entry">
                        {displayText(path)}
                      </Link>
                      <span className="dim">{size === null ? "" : NumberFormat.bytes(size)}</span>
                    </li>
                  ))}
                </ul>
              </section>
            )
          })
        ))}
    </div>
  )
}

const reasons = [
  {
    reason: "size",
    title: "Too large",
    explanation: "Code search covers only files below 32 MB with at most three million different terms."
  },
  {
    reason: "binary",
    title: "Binary",
    explanation: "Images, archives and programs have no text to search."
  },
  {
    reason: "encoding",
    title: "Unsupported encoding",
    explanation: "Only UTF-8 files have exact positions for matches."
  },
  {
    reason: "unreadable",
    title: "Unreadable",
    explanation:
      "Git cannot read them: they are damaged, or missing in a partial clone. The next commit triggers another attempt."
  }
] as const // the reasons of the index
