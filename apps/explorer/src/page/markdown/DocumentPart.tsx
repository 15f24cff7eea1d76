import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react"
import { ID_PREFIX } from "./Headings.ts"

/** Maximum distance of a rendered part from the window, in window heights. */
const MARGIN = "150%"

/** Characters of HTML per rem of height, on average. */
const CHARACTERS_PER_REM = 36

/** The last known heights of the parts of a document, in pixels. */
export type PartHeights = Map<number, number>

/** A part of a long document. Far from the window, renders an empty box of the same height. */
export const DocumentPart = ({
  children,
  heights,
  html,
  index,
  isPrinting
}: {
  readonly html: string
  readonly index: number
  readonly heights: PartHeights
  readonly isPrinting: boolean
  readonly children: () => ReactNode
}) => {
  const box = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(index === 0)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const near = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (entry !== undefined) setIsNear(entry.isIntersecting)
      },
      { rootMargin: MARGIN }
    )
    near.observe(element)
    return () => near.disconnect()
  }, [])
  const isRendered = isNear || isPrinting
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || !isRendered) return
    const size = new ResizeObserver((entries) => heights.set(index, entries.at(-1)?.contentRect.height ?? 0))
    size.observe(element)
    return () => size.disconnect()
  }, [heights, index, isRendered])
  const ids = useMemo(() => idsOf(html), [html])
  return (
    <div
      ref={box}
      className="markdown-part"
      style={
        isRendered ? undefined : { height: heights.get(index) ?? `${Math.ceil(html.length / CHARACTERS_PER_REM)}rem` }
      }
    >
      {/* A link to a heading leads to the part first, and to the heading after the part has rendered. */}
      {isRendered ? children() : ids.map((id) => <span key={id} id={`${ID_PREFIX}${id}`} data-unrendered="" />)}
    </div>
  )
}

const idsOf = (html: string): ReadonlyArray<string> => [
  ...new Set(Array.from(html.matchAll(/<[a-z][^<>]*? (?:id|name)="([^"<>]{1,200})"/gi), ([, id = ""]) => id))
]
