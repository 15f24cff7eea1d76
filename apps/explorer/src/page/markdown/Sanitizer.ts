/**
 * The first of two defences against HTML in documents: removes all elements, attributes and URLs that are not listed.
 */
import DOMPurify from "dompurify"

/** Elements that a document may have. */
export const elements: ReadonlySet<string> = new Set(
  (
    "a abbr b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure " +
    "h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small span strike " +
    "strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr"
  ).split(" ")
)

const ATTRIBUTES =
  "align alt checked class colspan dir height href id lang name open reversed rowspan src start title type width"

/** Parses HTML into a document that runs and loads nothing, and removes everything that is not listed. */
export const sanitize = (html: string): Node =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: Array.from(elements),
    ALLOWED_ATTR: ATTRIBUTES.split(" "),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // The node stays in a separate document: inside the page, images would load.
    RETURN_DOM: true
  })
