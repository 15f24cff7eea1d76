/** The `link` header of a paged answer: `<URL>; rel="next"`, a subset of RFC 8288 (`spec/1 §1.4`). */

/** The neighbours of a page, each a URL to follow as it is given. */
export interface Links {
  readonly prev?: string
  readonly next?: string
  readonly last?: string
  readonly first?: string
}

/** Characters of a header that are read; what comes after them is ignored. */
export const MAX_LENGTH = 16_384

// The order in which they are printed (spec/4, Pagination).
const RELATIONS = ["prev", "next", "last", "first"] as const // the names must stay literals

/**
 * The links of a header. Whatever is not one of the four relations, and whatever cannot be read, is left out; of two
 * links with one relation the first counts. Never throws.
 */
export const parse = (header: string | undefined): Links => {
  const links: { -readonly [Relation in keyof Links]: Links[Relation] } = {}
  if (header === undefined) return links
  const text = header.slice(0, MAX_LENGTH)
  LINK.lastIndex = 0
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", LINK.lastIndex)) {
    LINK.lastIndex = at
    const link = LINK.exec(text)
    if (link === null) break // no `>` any more
    const [, target = "", parameters = ""] = link
    for (const relation of relations(parameters)) {
      const known = RELATIONS.find((name) => name === relation)
      if (known !== undefined) links[known] ??= target
    }
  }
  return links
}

/**
 * The header for these links, in the order prev, next, last, first; an empty string for none (then the header is
 * omitted). Characters that would end the URL or the header are percent-encoded.
 */
export const print = (links: Links): string =>
  RELATIONS.flatMap((relation) => {
    const url = links[relation]
    return url === undefined ? [] : [`<${encodeTarget(url)}>; rel="${relation}"`]
  }).join(", ")

/** Where a link leads, without the query or the credentials in it, which may be secret. */
export const withoutQuery = (url: string): string => {
  if (!URL.canParse(url)) return url.replace(/[?#].*$/s, "")
  const { host, pathname, protocol } = new URL(url)
  return host === "" ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`
}

/** The number of the page that a link leads to, from 1, where its pages have numbers. */
export const pageNumber = (url: string | undefined): number | undefined => {
  const [, digits] = /[?&]page=(\d{1,9})(?:&|#|$)/.exec(url ?? "") ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The same link to another page. */
export const withPageNumber = (url: string, page: number): string => url.replace(/([?&]page=)\d+/, `$1${page}`)

// A target and its parameters, up to a comma outside quotes. No two parts can match the same text: reading is linear.
const LINK = /<([^>]*)>((?:[^,"]|"(?:[^"\\]|\\.)*(?:"|$))*)/gsy

const PARAMETER = /;\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^\s;"]*)))?/gs

const relations = (parameters: string): ReadonlyArray<string> => {
  for (const [, name = "", quoted, token = ""] of parameters.matchAll(PARAMETER)) {
    // Only the first `rel` counts (RFC 8288 §3.3).
    if (name.toLowerCase() === "rel") return (quoted?.replace(/\\(.)/gs, "$1") ?? token).toLowerCase().split(/\s+/)
  }
  return []
}

const encodeTarget = (url: string): string => url.toWellFormed().replace(/[^\x21-\x7e]|[<>]/gu, encodeURIComponent)
