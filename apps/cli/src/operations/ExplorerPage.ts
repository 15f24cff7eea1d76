/** The pages of `tongs explore` for resources of the embedded forge. */
import * as Effect from "effect/Effect"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as ShellWord from "@tongs/core/text/ShellWord"
import * as Flags from "../session/Flags.ts"

/** Returns the page of a repository, file, folder, commit, comparison, issue or pull request, relative to the explorer's URL. */
export const of = (value: unknown): string | undefined => {
  const address = URL.parse(String(Presentation.valueAt(value, ["html_url"])))
  const [owner, repo, kind, ...rest] = (address?.pathname ?? "").split("/").slice(1).map(decodeURIComponent)
  if (owner === undefined || repo === undefined) return undefined
  const page = (view: string, parameters: Readonly<Record<string, string>>) =>
    `${view}?${new URLSearchParams({ repo: `${owner}/${repo}`, ...parameters }).toString()}`.replaceAll("%2F", "/")
  const text = rest.join("/")
  switch (kind) {
    case undefined:
      return page("tree", {})
    case "issues":
    case "pull":
      // The page of a comment is a place in the page of its issue.
      return rest.length === 1
        ? `${page(kind === "pull" ? "pull" : "issue", { number: text })}${address?.hash ?? ""}`
        : undefined
    case "commit":
      return page("commit", { ref: text })
    case "compare": {
      const [base = "", head = ""] = text.split("...")
      return page("compare", { base, head })
    }
    case "blob":
    case "tree": {
      const path = Presentation.valueAt(value, ["path"])
      // A branch can contain slashes.
      return typeof path === "string" && text.endsWith(`/${path}`)
        ? page(kind === "blob" ? "file" : "tree", { path, ref: text.slice(0, -path.length - 1) })
        : undefined
    }
    default:
      return undefined
  }
}

/** Returns the command that opens a page of the explorer, with the flags that select the same forge. */
export const command = Effect.fnUntraced(function* (page: string | undefined) {
  const { data, demo, profile, repos } = yield* Flags.settings
  const flags = [
    ...(page === undefined ? [] : ["--page", page]),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(data === undefined ? [] : ["--data", data]),
    ...repos.flatMap((folder) => ["--repos", folder]),
    ...(demo === undefined ? [] : ["--demo"])
  ]
  return ["tongs", "explore", "--open", ...flags.map(ShellWord.quote)].join(" ")
})
