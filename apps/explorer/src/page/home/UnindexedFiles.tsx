/** The files of a repository that a search does not look into, and why. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Api from "../Api.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { displayText } from "../model/displayText.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useScrollRestoration } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

export const UnindexedFiles = ({ view }: { readonly view: Route.UnindexedFiles }) => {
  const { owner, repo } = view
  const answer = Api.useAnswer(Api.leftOut, { owner, repo })
  useScrollRestoration("left-out", answer._tag === "Ready")
  return (
    <div className="left">
      <p className="place">
        <Link to={{ _tag: "Tree", owner, repo, path: "" }}>
          <span className="dim">{displayText(owner)}/</span>
          {displayText(repo)}
        </Link>
      </p>
      <h1>Left out of the index</h1>
      {answer._tag === "Loading" && <Skeleton rows={4} slow={answer.slow} what="Loading the list" />}
      {answer._tag === "Failed" && <FailureNotice {...answer} />}
      {answer._tag === "Ready" &&
        (answer.value.files.length === 0 ? (
          <Notice title="Nothing is left out">
            <p>Every file of the default branch can be searched.</p>
          </Notice>
        ) : (
          REASONS.map(({ explanation, reason, title }) => {
            const files = answer.value.files.filter((file) => file.reason === reason)
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

const REASONS = [
  {
    reason: "size",
    title: "Too large",
    explanation: "A search of the contract looks only into smaller files; so does this one."
  },
  {
    reason: "binary",
    title: "Not text",
    explanation: "Images, archives, programs: there are no words to find in them."
  },
  {
    reason: "encoding",
    title: "In another encoding",
    explanation: "Their bytes are no UTF-8, so that no place in them could be told exactly."
  },
  {
    reason: "unreadable",
    title: "Unreadable",
    explanation:
      "Git has them damaged, or not at all, as in a partial clone. They are tried again with the next commit."
  }
] as const // the reasons are those of the index
