import { Box, type DOMElement, measureElement } from "ink"
import { type ReactNode, type RefObject, useLayoutEffect, useState } from "react"
import { useWindow } from "./WindowContext.ts"

interface Props {
  /** The first visible row. */
  readonly top?: number
  /** The child in the middle of the visible rows. */
  readonly focus?: RefObject<DOMElement | null>
  readonly children: ReactNode
}

/** The rows of a window that shrink if the window is too high, and then scroll. */
export const ScrollView = ({ children, focus, top = 0 }: Props): ReactNode => {
  const { viewport, content } = useWindow().parts
  const [offset, setOffset] = useState(0)
  // Ink has the layout only after the first drawing. The second one is before the frame is on the terminal.
  useLayoutEffect(() => {
    if (viewport.current === null || content.current === null) return
    const { height: all, y: start } = measureElement(content.current)
    const { height: room } = measureElement(viewport.current)
    const focusedElement = focus?.current ?? null
    const child = focusedElement === null ? undefined : measureElement(focusedElement)
    const wanted = child === undefined ? top : child.y - start - Math.max(0, Math.floor((room - child.height) / 2))
    setOffset(Math.max(0, Math.min(wanted, all - room)))
  })
  return (
    <Box ref={viewport} flexDirection="column" overflowY="hidden" contentOffsetY={offset}>
      <Box ref={content} flexDirection="column" flexShrink={0}>
        {children}
      </Box>
    </Box>
  )
}
