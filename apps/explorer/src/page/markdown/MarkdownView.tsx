import { useEffect, useMemo, useState } from "react"
import { flushSync } from "react-dom"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { displayText } from "../model/displayText.ts"
import { DocumentPart, type PartHeights } from "./DocumentPart.tsx"
import { scrollToHeading } from "./Headings.ts"
import { nodesOf } from "./MarkdownNodes.tsx"
import { sanitize } from "./Sanitizer.ts"
import { useMarkdownBlocks } from "./useMarkdownBlocks.ts"

/** Maximum number of blocks for which the whole document is on the page, so that the browser finds all text. */
const MAX_COMPLETE = 25

/** A Markdown document. Renders in parts; of a long document, only the parts near the window. */
export const MarkdownView = ({
  file,
  onRendered,
  text
}: {
  /** The document, to which links and images are relative. */
  readonly file: ExplorerApi.PinnedPath
  readonly text: string
  /** Called once the page contains the whole document, or the heights of all parts. */
  readonly onRendered?: () => void
}) => {
  const blocks = useMarkdownBlocks(text)
  const isLong = typeof blocks === "object" && blocks.length > MAX_COMPLETE
  const [count, setCount] = useState(1)
  useEffect(() => {
    if (blocks === undefined) return
    if (isLong || blocks === "too-complex" || count >= blocks.length) {
      onRendered?.()
      const anchor = anchorOfUrl()
      if (anchor !== "") scrollToHeading(anchor)
      return
    }
    const timer = setTimeout(() => setCount(count + 1))
    return () => clearTimeout(timer)
  }, [blocks, count, isLong, onRendered])
  const isPrinting = useIsPrinting()
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
      {isLong
        ? blocks.map((html, index) => (
            <DocumentPart key={index} html={html} index={index} heights={heightsOf(text)} isPrinting={isPrinting}>
              {() => <Block html={html} file={file} />}
            </DocumentPart>
          ))
        : blocks.slice(0, count).map((html, index) => <Block key={index} html={html} file={file} />)}
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

/** Heights of the last long document, so that going back restores the scroll offset exactly. */
let kept: { readonly text: string; readonly heights: PartHeights } | undefined

const heightsOf = (text: string): PartHeights => {
  if (kept?.text !== text) kept = { text, heights: new Map() }
  return kept.heights
}

/** True while the browser prints, which needs all parts. */
const useIsPrinting = (): boolean => {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const before = () => flushSync(() => setIsPrinting(true))
    const after = () => setIsPrinting(false)
    addEventListener("beforeprint", before)
    addEventListener("afterprint", after)
    return () => {
      removeEventListener("beforeprint", before)
      removeEventListener("afterprint", after)
    }
  }, [])
  return isPrinting
}

const anchorOfUrl = (): string => {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ""
  }
}
