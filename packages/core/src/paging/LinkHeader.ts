/** The `link` header of a page: `<URL>; rel="next"`, a subset of RFC 8288 (`spec/1 §1.4`). */

/** URLs of the neighbouring pages, to be followed unchanged. */
export interface Links {
  readonly prev?: string
  readonly next?: string
  readonly last?: string
  readonly first?: string
}

/** Characters of a header that are parsed. The rest is ignored. */
export const MAX_LENGTH = 16_384

// In the order of the header (spec/4, Pagination).
const RELATIONS = ["prev", "next", "last", "first"] as const // the names must stay literals

/**
 * Parses a header. Ignores invalid links and other relations. Of two links with one relation the first counts. Never throws.
 */
export const parse = (header: string | undefined): Links => {
  const links: { -readonly [Relation in keyof Links]: Links[Relation] } = {}
  if (header === undefined) return links
  const text = header.slice(0, MAX_LENGTH)
  LINK.lastIndex = 0
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", LINK.lastIndex)) {
    LINK.lastIndex = at
    const link = LINK.exec(text)
    if (link === null) break // no further `>`
    const [, target = "", parameters = ""] = link
    for (const relation of relations(parameters)) {
      const known = RELATIONS.find((name) => name === relation)
      if (known !== undefined) links[known] ??= target
    }
  }
  return links
}

/**
 * Prints a header in the order prev, next, last, first; an empty string without links, for no header. Percent-encodes
 * characters that would end the URL or the header.
 */
export const print = (links: Links): string =>
  RELATIONS.flatMap((relation) => {
    const url = links[relation]
    return url === undefined ? [] : [`<${encodeTarget(url)}>; rel="${relation}"`]
  }).join(", ")

/** The URL without its query and credentials, which may be secret. */
export const withoutQuery = (url: string): string => {
  if (!URL.canParse(url)) return url.replace(/[?#].*$/s, "")
  const { host, pathname, protocol } = new URL(url)
  return host === "" ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`
}

/** The page number of a link, from 1; undefined for a link without one. */
export const pageNumber = (url: string | undefined): number | undefined => {
  const [, digits] = /[?&]page=(\d{1,9})(?:&|#|$)/.exec(url ?? "") ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The link with another page number. */
export const withPageNumber = (url: string, page: number): string => url.replace(/([?&]page=)\d+/, `$1${page}`)

// A target and its parameters, up to a comma outside quotes. Its parts never match the same text, so matching is linear.
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
