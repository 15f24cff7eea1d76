/** Which repositories and folders a search covers, and the names of files in the output. */
import * as Path from "node:path"
import type * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as IgnoreFiles from "./IgnoreFiles.ts"
import type { Place } from "./FileSelection.ts"

/** A file or folder to search: the path from the user, and the absolute path without symbolic links. */
export interface Root {
  readonly written: string
  readonly path: string
  readonly isFile: boolean
}

export interface Options {
  /** The working directory without symbolic links. */
  readonly cwd: string
  /** The files and folders to search. Empty for all repositories. */
  readonly roots: ReadonlyArray<Root>
  /** Work trees of served repositories, by full name. */
  readonly workTrees: ReadonlyMap<string, string>
  /** Patterns of the repositories to search. Empty for all. */
  readonly repositories: ReadonlyArray<string>
  /** True for a search of revisions instead of the files of the work tree. */
  readonly isHistory: boolean
}

/** A file of a result. */
export interface FoundFile {
  readonly repository: string
  readonly path: string
}

/** A file in the scope: the place for the selection, and the name for the output. */
export interface Located {
  readonly place: Place
  readonly name: string
  /** Index of the root that contains the file: sorted files of one root follow the files of the previous root. */
  readonly root: number
}

export interface SearchScope {
  readonly locate: (file: FoundFile) => Located | undefined
  /** Filters for the query that admit at least all files in the scope. */
  readonly filters: ReadonlyArray<CodeQuery.Expression>
  /** Roots that no served repository contains. */
  readonly missing: ReadonlyArray<Root>
}

const inside = (folder: string, path: string): string | undefined => {
  if (path === folder) return ""
  const prefix = folder.endsWith(Path.sep) ? folder : `${folder}${Path.sep}`
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

export const make = ({ cwd, isHistory, repositories, roots, workTrees }: Options): SearchScope => {
  const wanted = repositories.map(toPattern)
  const ignoreFiles = new Map<string, IgnoreFiles.IgnoreFiles>()
  const areas = new Map(
    [...workTrees].map(([name, tree]) => [
      name,
      roots.flatMap((root) => {
        const from = inside(tree, root.path)
        if (from !== undefined) return [{ root, from }]
        return inside(root.path, tree) === undefined ? [] : [{ root, from: "" }]
      })
    ])
  )

  const locate = ({ path, repository }: FoundFile): Located | undefined => {
    if (wanted.length > 0 && !wanted.some((pattern) => pattern.test(repository))) return undefined
    const tree = workTrees.get(repository)
    if (tree === undefined) {
      if (roots.length > 0) return undefined
      const place = { path, from: "", globPrefix: "", ignoreFiles: undefined }
      return { place, name: `${repository}:${path}`, root: 0 }
    }
    const area = areas.get(repository)?.find(({ from }) => from === "" || path === from || path.startsWith(`${from}/`))
    if (roots.length > 0 && area === undefined) return undefined
    if (!isHistory && !ignoreFiles.has(tree)) ignoreFiles.set(tree, IgnoreFiles.make(tree))
    const place: Place = {
      path,
      from: area?.from ?? "",
      globPrefix: inside(tree, cwd) ?? "",
      ignoreFiles: ignoreFiles.get(tree)
    }
    const absolute = Path.join(tree, path)
    const isHere = inside(tree, cwd) !== undefined || inside(cwd, tree) !== undefined
    const name = area === undefined ? (isHere ? Path.relative(cwd, absolute) : absolute) : nameIn(area.root, absolute)
    return { place, name, root: area === undefined ? 0 : roots.indexOf(area.root) }
  }

  const names = [...areas].filter(
    ([name, { length }]) => length > 0 && (wanted.length === 0 || wanted.some((pattern) => pattern.test(name)))
  )
  return {
    locate,
    filters: roots.length === 0 ? named(repositories) : filtersOf(names),
    missing: roots.filter((root) => ![...areas.values()].some((all) => all.some((area) => area.root === root)))
  }
}

/** Returns the name of a file below a root, in the form of ripgrep: the root as written, and the rest of the path. */
const nameIn = ({ path, written }: Root, absolute: string): string => {
  const rest = inside(path, absolute) ?? ""
  if (written === "") return rest
  if (rest === "") return written
  return written.endsWith("/") ? `${written}${rest}` : `${written}/${rest}`
}

const span = { start: 0, length: 0 }

const filter = (filter: CodeQuery.Filter): CodeQuery.Expression => ({ _tag: "Filter", filter, span })

const any = (all: ReadonlyArray<CodeQuery.Expression>): ReadonlyArray<CodeQuery.Expression> => {
  const [first] = all
  return all.length <= 1 ? (first === undefined ? [] : [first]) : [{ _tag: "Or", any: all, span }]
}

/** Maximum number of repositories and folders that become filters of the query. */
const MAX_FILTERS = 16

const named = (repositories: ReadonlyArray<string>): ReadonlyArray<CodeQuery.Expression> =>
  repositories.length <= MAX_FILTERS && repositories.every((name) => /^[\w.-]+\/[\w.-]+$/.test(name))
    ? any(repositories.map((value) => filter({ name: "repo", value })))
    : []

const filtersOf = (
  areas: ReadonlyArray<readonly [string, ReadonlyArray<{ readonly from: string }>]>
): ReadonlyArray<CodeQuery.Expression> => {
  if (areas.length > MAX_FILTERS) return []
  const folders = new Set(areas.flatMap(([, all]) => all.map(({ from }) => from)))
  return [
    ...any(areas.map(([value]) => filter({ name: "repo", value }))),
    ...(folders.has("") || folders.size > MAX_FILTERS || [...folders].some((folder) => /["\\*?{}[\]]/.test(folder))
      ? []
      : any([...folders].map((folder) => filter({ name: "path", value: `/${folder}`, glob: false }))))
  ]
}

/** Compiles the value of `--repo`: a full name, or a name without an owner, with `*`. */
const toPattern = (value: string): RegExp => {
  const source = value
    .split("*")
    .map((part) => RegExp.escape(part))
    .join("[^/]*")
  return new RegExp(value.includes("/") ? `^${source}$` : `/${source}$`, "iu")
}
