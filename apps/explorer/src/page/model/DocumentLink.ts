/** Links and images of a document in a repository. */

/** The target of a link in a document. */
export type DocumentLink =
  | { readonly _tag: "External"; readonly url: string }
  /** A heading of the same document. */
  | { readonly _tag: "Heading"; readonly anchor: string }
  /** A file or folder of the same repository. `path` is empty for the root. */
  | { readonly _tag: "Path"; readonly path: string; readonly isFolder: boolean; readonly fragment: string }

/** Maximum length of a link, in UTF-16 code units. */
const MAX_LENGTH = 2_000

/** Schemes that a link may open. */
const schemes = new Set(["http:", "https:", "mailto:"])

/**
 * Resolves a link of the document at `path`. Undefined for a link with another scheme, outside the repository, or not
 * valid. The characters that a browser ignores in URLs are ignored here, too.
 */
export const resolve = (href: string, path: string): DocumentLink | undefined => {
  // Browsers remove control characters.
  const text = href
    .slice(0, MAX_LENGTH)
    .replace(/[\0-\x1f\x7f]/g, "")
    .trim()
  if (text === "") return undefined
  if (text.startsWith("#")) return { _tag: "Heading", anchor: decode(text.slice(1)) }
  if (/^[\\/]{2}/.test(text)) return external(`https:${text}`)
  if (/^[^/?#]*:/.test(text)) return external(text)
  const [, pathname = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(text) ?? []
  // A link that is only a query leads to this document.
  if (pathname === "") return { _tag: "Heading", anchor: decode(fragment) }
  const parts = pathname.startsWith("/") ? [] : path.split("/").slice(0, -1)
  const names = decode(pathname).split("/")
  for (const name of names) {
    if (name === "..") {
      if (parts.pop() === undefined) return undefined
    } else if (name !== "." && name !== "") parts.push(name)
  }
  const isFolder = parts.length === 0 || ["", ".", ".."].includes(names.at(-1) ?? "")
  return { _tag: "Path", path: parts.join("/"), isFolder, fragment: decode(fragment) }
}

const external = (text: string): DocumentLink | undefined => {
  const url = URL.parse(text)
  return url !== null && schemes.has(url.protocol) ? { _tag: "External", url: url.href } : undefined
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
