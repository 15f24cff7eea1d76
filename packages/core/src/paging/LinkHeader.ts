/** The `link` header of a page: `<URL>; rel="next"`, a subset of RFC 8288. */

/** URLs of the neighboring pages. Follow the URLs unchanged. */
export interface Links {
  readonly prev?: string
  readonly next?: string
  readonly last?: string
  readonly first?: string
}

/** Maximum number of characters of a header that are parsed. The rest is ignored. */
export const MAX_LENGTH = 16_384

// Relations in the order of the header.
const relationNames = ["prev", "next", "last", "first"] as const // literal types, for the type of a name

/**
 * Parses a header. Ignores invalid links and other relations. If a relation occurs twice, uses the first link. Never
 * throws.
 */
export const parse = (header: string | undefined): Links => {
  const links: { -readonly [Relation in keyof Links]: Links[Relation] } = {}
  if (header === undefined) return links
  const text = header.slice(0, MAX_LENGTH)
  linkPattern.lastIndex = 0
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", linkPattern.lastIndex)) {
    linkPattern.lastIndex = at
    const link = linkPattern.exec(text)
    if (link === null) break // a target without a closing `>`
    const [, target = "", parameters = ""] = link
    for (const relation of relations(parameters)) {
      const known = relationNames.find((name) => name === relation)
      if (known !== undefined) links[known] ??= target
    }
  }
  return links
}

/**
 * Prints a header in the order prev, next, last, first. An empty string means that the response needs no header.
 * Percent-encodes characters that would end the URL or the header.
 */
export const print = (links: Links): string =>
  relationNames
    .flatMap((relation) => {
      const url = links[relation]
      return url === undefined ? [] : [`<${encodeTarget(url)}>; rel="${relation}"`]
    })
    .join(", ")

/** Returns the URL without query and credentials, which may be secret. */
export const withoutQuery = (url: string): string => {
  if (!URL.canParse(url)) return url.replace(/[?#].*$/s, "")
  const { host, pathname, protocol } = new URL(url)
  return host === "" ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`
}

/** Returns the page number of a link, from 1; undefined for a link without a page number. */
export const pageNumber = (url: string | undefined): number | undefined => {
  const [, digits] = /[?&]page=(\d{1,9})(?:&|#|$)/.exec(url ?? "") ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Returns the link with another page number. */
export const withPageNumber = (url: string, page: number): string => url.replace(/([?&]page=)\d+/, `$1${page}`)

// A target and parameters, up to a comma outside quotes. The alternatives never match the same text, so matching takes
// linear time.
const linkPattern = /<([^>]*)>((?:[^,"]|"(?:[^"\\]|\\.)*(?:"|$))*)/gsy

const parameter = /;\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^\s;"]*)))?/gs

const relations = (parameters: string): ReadonlyArray<string> => {
  for (const [, name = "", quoted, token = ""] of parameters.matchAll(parameter)) {
    // Only the first `rel` counts (RFC 8288 §3.3).
    if (name.toLowerCase() === "rel") return (quoted?.replace(/\\(.)/gs, "$1") ?? token).toLowerCase().split(/\s+/)
  }
  return []
}

const encodeTarget = (url: string): string => url.toWellFormed().replace(/[^\x21-\x7e]|[<>]/gu, encodeURIComponent)
