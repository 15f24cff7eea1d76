/** The links of the documentation, and the anchors that GitHub gives to headings. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

const workspace = join(import.meta.dirname, "../..")

/** A link without a scheme, and its line. */
interface Link {
  readonly target: string
  readonly line: number
}

/** Returns a document with spaces in place of code blocks and comments, so that line numbers stay the same. */
const withoutCode = (document: string): string =>
  document.replaceAll(/^( *)(```|~~~)[^]*?^\1\2|<!--[^]*?-->/gm, (text) => text.replaceAll(/[^\n]/g, " "))

/** Returns the relative links and the images of a document, in Markdown and in HTML. */
export const linksOf = (document: string): ReadonlyArray<Link> =>
  withoutCode(document)
    .split("\n")
    .flatMap((text, index) => {
      const prose = text.replaceAll(/(`+)[^`]+\1/g, "code")
      const found = prose.matchAll(/\]\(<?([^\s)>]+)|^ *\[[^\]]+\]: +(\S+)|\b(?:href|src|srcset)="([^"]+)"/g)
      return [...found].flatMap(([, inline, reference, attribute]) => {
        const target = inline ?? reference ?? attribute ?? ""
        return /^[a-z][a-z+.-]*:/i.test(target) ? [] : [{ target, line: index + 1 }]
      })
    })

/** Returns the anchors of a document: GitHub's for headings, and the ids of HTML elements. */
export const anchorsOf = (document: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading, id] of withoutCode(document).matchAll(
    /^ {0,3}#{1,6} +(.+?)(?: +#+)? *$|\b(?:id|name)="([^"]+)"/gm
  )) {
    if (heading === undefined) {
      anchors.add(String(id))
      continue
    }
    const text = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/<[^>]+>/g, "")
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-")
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** Returns the links of a file whose target does not exist, as `line N: TARGET`. */
export const brokenLinks = (path: string, document = readFileSync(join(workspace, path), "utf8")) => {
  return linksOf(document).flatMap(({ target, line }) => {
    const [file = "", anchor] = decodeURIComponent(target).split("#")
    const linked = normalize(file === "" ? path : join(dirname(path), file))
    const exists = !linked.startsWith("..") && existsSync(join(workspace, linked))
    const isKnown =
      exists && (anchor === undefined || anchorsOf(readFileSync(join(workspace, linked), "utf8")).has(anchor))
    return isKnown ? [] : [`line ${line}: ${target}`]
  })
}
