import { useEffect, useMemo, useState } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { displayText } from "../model/displayText.ts"
import { scrollToHeading } from "./Headings.ts"
import { nodesOf } from "./MarkdownNodes.tsx"
import { sanitize } from "./Sanitizer.ts"
import { useMarkdownBlocks } from "./useMarkdownBlocks.ts"

/** A Markdown document. It renders in parts, so that a long one does not block the page. */
export const MarkdownView = ({
  file,
  onRendered,
  text
}: {
  /** The document: its links and images are relative to it. */
  readonly file: ExplorerApi.PinnedPath
  readonly text: string
  /** Called once the whole document is on the page. */
  readonly onRendered?: () => void
}) => {
  const blocks = useMarkdownBlocks(text)
  const [count, setCount] = useState(1)
  useEffect(() => {
    if (blocks === undefined) return
    if (blocks === "too-complex" || count >= blocks.length) {
      onRendered?.()
      const anchor = anchorOfUrl()
      if (anchor !== "") scrollToHeading(anchor)
      return
    }
    const timer = setTimeout(() => setCount(count + 1))
    return () => clearTimeout(timer)
  }, [blocks, count, onRendered])
  if (blocks === undefined) return <p className="dim">Loading…</p>
  if (blocks === "too-complex") {
    return (
      <>
        <p className="dim">This document is too complex to be rendered. This is its text.</p>
        <pre className="plain-text" tabIndex={0}>
          {text.split("\n").map(displayText).join("\n")}
        </pre>
      </>
    )
  }
  return (
    <article className="markdown">
      {blocks.slice(0, count).map((html, index) => (
        <Block key={index} html={html} file={file} />
      ))}
    </article>
  )
}

const Block = ({ file, html }: { readonly html: string; readonly file: ExplorerApi.PinnedPath }) => {
  const { commit, owner, path, ref, repo } = file
  return useMemo(
    () => nodesOf(sanitize(html), { commit, owner, path, ref, repo }),
    [html, commit, owner, path, ref, repo]
  )
}

const anchorOfUrl = (): string => {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ""
  }
}
