import type { MouseEvent, ReactNode } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { isPlainClick, Link } from "../components/Link.tsx"
import { historyState } from "../hooks/useRoute.ts"
import type { DocumentLink } from "../model/DocumentLink.ts"
import * as Route from "../model/Route.ts"
import { scrollToHeading } from "./Headings.ts"

/** A link of a document: to a heading, to a file or folder of the repository, or to another site in a new tab. */
export const DocumentAnchor = ({
  children,
  file,
  id,
  link
}: {
  readonly link: DocumentLink
  /** The document. */
  readonly file: ExplorerApi.PinnedPath
  readonly id?: string | undefined
  readonly children: ReactNode
}) => {
  switch (link._tag) {
    case "External":
      return (
        <a id={id} href={link.url} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      )
    case "Heading": {
      const onClick = (event: MouseEvent) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        history.pushState(historyState(), "", `#${encodeURIComponent(link.anchor)}`)
        scrollToHeading(link.anchor)
      }
      return (
        <a id={id} href={`#${encodeURIComponent(link.anchor)}`} onClick={onClick}>
          {children}
        </a>
      )
    }
    case "Path":
      return (
        <Link id={id} to={routeOf(file, link)}>
          {children}
        </Link>
      )
  }
}

/** The view of a path. The link has a branch only if the current route has one. */
const routeOf = (
  { commit, owner, ref, repo }: ExplorerApi.PinnedPath,
  { fragment, isFolder, path }: Extract<DocumentLink, { readonly _tag: "Path" }>
): Route.Route => {
  const isInUrl = new URLSearchParams(location.search).has("ref")
  const target = { owner, repo, path, ...(isInUrl ? { ref: ref === commit ? commit : ref } : {}) }
  if (isFolder) return { _tag: "Tree", ...target }
  const lines = Route.parseLines(`#${fragment}`)
  return {
    _tag: "File",
    ...target,
    ...(lines === undefined ? (fragment === "" ? {} : { anchor: fragment }) : { lines })
  }
}
