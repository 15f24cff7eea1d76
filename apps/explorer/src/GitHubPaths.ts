/** The explorer's pages for the paths that GitHub gives repositories, issues, pull requests, releases, runs, commits, comparisons and files. */

/**
 * Returns the page for the path of an `html_url`, relative to the explorer's URL. Undefined for other paths. Branches
 * with slashes are not recognized in paths of files, which only the forge can split.
 */
export const pageOf = (pathname: string): string | undefined => {
  const [owner, repo, kind, first = "", ...rest] = decode(pathname).slice(1)
  if (owner === undefined || owner === "" || repo === undefined || repo === "") return undefined
  const page = (view: string, parameters: Readonly<Record<string, string>> = {}) =>
    `${view}?${new URLSearchParams({ repo: `${owner}/${repo}`, ...parameters }).toString()}`.replaceAll("%2F", "/")
  const path = rest.join("/")
  const isWhole = path === ""
  switch (kind) {
    case undefined:
      return page("tree")
    case "issues":
    case "pulls":
      if (first === "") return page(kind)
      return kind === "issues" && isWhole && isNumber(first) ? page("issue", { number: first }) : undefined
    case "pull": {
      const [tab, ref] = rest
      if (!isNumber(first)) return undefined
      if (tab === "commits" && ref !== undefined) return rest.length === 2 ? page("commit", { ref }) : undefined
      if (rest.length > 1 || (tab !== undefined && !pullTabs.has(tab))) return undefined
      return page("pull", { number: first, ...(tab === undefined ? {} : { tab: pullTabs.get(tab) ?? "" }) })
    }
    case "releases":
      if (first === "") return page(kind)
      if (first === "latest") return isWhole ? page("release") : undefined
      return first === "tag" && !isWhole ? page("release", { tag: path }) : undefined
    case "actions":
      return actionsPage(first, rest, page)
    case "commit":
      return isWhole && first !== "" ? page("commit", { ref: first }) : undefined
    case "compare": {
      const [base = "", head = ""] = [first, ...rest].join("/").split("...")
      return base === "" || head === "" ? undefined : page("compare", { base, head })
    }
    case "blob":
      return isWhole ? undefined : page("file", { path, ref: first })
    case "tree":
      return first === "" ? undefined : page("tree", { ...(isWhole ? {} : { path }), ref: first })
    default:
      return undefined
  }
}

const actionsPage = (
  first: string,
  [name = "", part, id, ...rest]: ReadonlyArray<string>,
  page: (view: string, parameters?: Readonly<Record<string, string>>) => string
): string | undefined => {
  if (first === "") return page("actions")
  if (first === "workflows") return name !== "" && part === undefined ? page("actions", { workflow: name }) : undefined
  if (first !== "runs" || !isId(name) || rest.length > 0) return undefined
  // The page shows the latest attempt only.
  if (part === undefined || (part === "attempts" && isId(id ?? ""))) return page("run", { id: name })
  return part === "job" && isId(id ?? "") ? page("run", { id: name, job: id ?? "" }) : undefined
}

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

const isNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)

/** The tabs of a pull request by their paths, also the newer path of its files. */
const pullTabs: ReadonlyMap<string, string> = new Map([
  ["commits", "commits"],
  ["files", "files"],
  ["changes", "files"],
  ["checks", "checks"]
])

const decode = (pathname: string): ReadonlyArray<string> => {
  try {
    return pathname.split("/").map(decodeURIComponent)
  } catch {
    return []
  }
}
