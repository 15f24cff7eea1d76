/** Headings of the document in the page. */

/** Prefix of all ids of a document, so that none is an id of the page. */
export const ID_PREFIX = "user-content-"

/**
 * Maximum number of frames for rendering the parts around a heading, and frames without a movement after which the
 * parts count as rendered.
 */
const MAX_FRAMES = 90
const STILL_FRAMES = 12

/** The user's input, which ends the scrolling to a heading. */
const input = ["wheel", "touchstart", "pointerdown", "keydown"]

let end = (): void => {}

/** Scrolls to the heading with this anchor, and again while nearby parts of a long document render. */
export const scrollToHeading = (anchor: string): void => {
  end()
  let frame = 0
  let count = 0
  let still = 0
  const step = () => {
    const heading = find(anchor)
    const before = scrollY
    heading?.scrollIntoView({ block: "start" })
    still = heading?.dataset["unrendered"] === undefined && scrollY === before ? still + 1 : 0
    if (heading === null || still > STILL_FRAMES || ++count > MAX_FRAMES || !heading.closest(".markdown-part")) end()
    else frame = requestAnimationFrame(step)
  }
  end = () => {
    cancelAnimationFrame(frame)
    for (const name of input) removeEventListener(name, end)
  }
  for (const name of input) addEventListener(name, end, { passive: true })
  step()
}

const find = (anchor: string): HTMLElement | null =>
  document.getElementById(`${ID_PREFIX}${anchor}`) ?? document.getElementById(`${ID_PREFIX}${anchor.toLowerCase()}`)
