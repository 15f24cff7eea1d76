/** Headings of the document in the page. */

/** Prefix of all ids of a document, so that none is an id of the page. */
export const ID_PREFIX = "user-content-"

/** Scrolls to the heading with this anchor. False if the page does not have it. */
export const scrollToHeading = (anchor: string): boolean => {
  const heading =
    document.getElementById(`${ID_PREFIX}${anchor}`) ?? document.getElementById(`${ID_PREFIX}${anchor.toLowerCase()}`)
  heading?.scrollIntoView({ block: "start" })
  return heading !== null
}
