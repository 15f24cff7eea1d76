/** Links to the files and lines of a diff. */
import type { Comparison } from "../../ComparisonApi.ts"
import type { DiffLine } from "../model/DiffRoute.ts"
import * as Permalinks from "../model/Permalinks.ts"
import * as Route from "../model/Route.ts"

export interface DiffLinks {
  /** The URL of a file, relative to the page. */
  readonly href: (path: string) => string
  /** The absolute URL of a file, or of the selected line in the file. */
  readonly permalink: (path: string) => string
}

/** Links whose ends are ids, so that the links stay valid. Those of a pull request lead to the comparison. */
export const make = (route: Route.ChangesView, comparison: Comparison): DiffLinks => {
  const pinned = pin(route, comparison)
  const hrefs = new Map<string, string>()
  return {
    href: (path) => {
      const href = hrefs.get(path) ?? Route.href(withPlace(pinned, path))
      hrefs.set(path, href)
      return href
    },
    permalink: (path) => Permalinks.absoluteUrl(pinned.file === path ? pinned : withPlace(pinned, path))
  }
}

const pin = (route: Route.ChangesView, comparison: Comparison): Route.Commit | Route.Compare => {
  if (route._tag === "Commit") return { ...route, ref: comparison.head }
  if (route._tag === "Compare") return { ...route, ...pinnedEnds(comparison) }
  const { _tag, comment: _, number: __, tab: ___, ...view } = route
  return { _tag: "Compare", ...view, ...pinnedEnds(comparison) }
}

const pinnedEnds = ({ base, head }: Comparison) => ({ head, ...(base === null ? {} : { base }) })

/** The route of a file, or of a line in the file. */
export const withPlace = <R extends Route.ChangesView>(route: R, file: string, line?: DiffLine): R => {
  const { line: _, ...rest } = route
  return { ...rest, file, ...(line === undefined ? {} : { line }) } as R // oxlint-disable-line typescript/no-unsafe-type-assertion -- the rest of a generic type loses its name
}
