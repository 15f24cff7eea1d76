/** How far the text of a definition shows that it is only a declaration, or that only its own file sees it. */
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"

/** Maximum number of lines of a prototype. */
const MAX_PROTOTYPE = 8

/** True for a declaration of a function without a body, as far as the first line shows. */
export const isPrototype = ({ end_line, kind, line, path, scope, text }: Definition): boolean => {
  if (/\.d\.[cm]?ts$/.test(path) || /^\s*extern\b(?!\s*"C")[^{]*$/.test(text)) return true
  if (kind !== "function" && kind !== "method") return false
  if (/\)[^={]*;\s*$/.test(text)) return true
  const isShort = end_line === undefined || end_line - line < MAX_PROTOTYPE
  return (
    path.endsWith(".h") &&
    scope === undefined &&
    isShort &&
    !/\b(?:static|inline|template|constexpr|define)\b|\{/.test(text)
  )
}

/** True for a function or variable of C that only its file sees. */
export const isOfOneFile = ({ path, scope, text }: Definition): boolean =>
  /\.(?:c|cc|cpp|cxx)$/.test(path) && scope === undefined && /^static\b/.test(text)
