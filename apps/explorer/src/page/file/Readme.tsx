import { lazy, Suspense } from "react"
import * as PathText from "@tongs/core/text/PathText"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import * as ReadmeFile from "../model/ReadmeFile.ts"
import type * as Route from "../model/Route.ts"

const MarkdownView = lazy(async () => ({ default: (await import("../markdown/MarkdownView.tsx")).MarkdownView }))

/** Maximum number of UTF-16 units of a README that are shown. The file view shows the rest. */
const MAX_LENGTH = 400_000

/** The README of a folder. */
export const Readme = ({
  folder: { commit, owner, ref, repo },
  path,
  route
}: {
  readonly folder: ExplorerApi.Folder
  readonly path: string
  readonly route: Route.Tree
}) => {
  const answer = ExplorerClient.useRequest(ExplorerClient.file, { owner, repo, path, ref: commit })
  const content = answer._tag === "Ready" ? answer.value.content : undefined
  if (content?.kind !== "text" || content.text.trim() === "") return null
  const isLong = content.text.length > MAX_LENGTH
  const link = { ...route, _tag: "File", path } as const
  return (
    <section className="readme" aria-label={displayText(path)}>
      <header>
        <Link to={link}>{displayText(PathText.nameOf(path))}</Link>
      </header>
      <div className="readme-text">
        {!isLong && ReadmeFile.isMarkdown(path) ? (
          <Suspense fallback={<p className="dim">Loading…</p>}>
            <MarkdownView file={{ owner, repo, path, ref, commit }} text={content.text} />
          </Suspense>
        ) : (
          <pre className="plain-text" tabIndex={0}>
            {content.text.slice(0, MAX_LENGTH).split("\n").map(displayText).join("\n")}
          </pre>
        )}
        {isLong && (
          <p>
            <Link to={link}>Open the whole file</Link>
          </p>
        )}
      </div>
    </section>
  )
}
