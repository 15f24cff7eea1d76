/** The explorer's pages for the paths that GitHub gives repositories, issues, commits, comparisons and files. */

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
    case "pull":
      if (kind === "issues" && first === "") return page("issues")
      return isWhole && /^[1-9]\d{0,8}$/.test(first) ? page("issue", { number: first }) : undefined
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

const decode = (pathname: string): ReadonlyArray<string> => {
  try {
    return pathname.split("/").map(decodeURIComponent)
  } catch {
    return []
  }
}
