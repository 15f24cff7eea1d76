/** A forge with issues that texts can refer to, and what its API says about references. */
import { execFile } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { startForge } from "@tongs/testing"
import { git } from "@tongs/service/git/Fixture.test-support"
import type { Link, World } from "./TextModel.test-support.ts"

const run = promisify(execFile)

const issues = new Map<string, ReadonlyArray<number>>([
  ["harbor/hello", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["harbor/other", [1, 2, 3]],
  ["acme/tool", [1, 2, 3]],
  ["harbor/secret", [1, 2]]
])

/** The repository that only `insider` and `harbor` can read. */
export const SECRET = "harbor/secret"

/** Repositories in which the pusher can close issues. */
export const closable: ReadonlySet<string> = new Set(["harbor/hello", "harbor/other"])

const users = ["mia", "Will", "ann-lee", "x9"]

// oxlint-disable-next-line typescript/no-explicit-any -- assertions look into it
type Json = any

export const start = async () => {
  const forge = await startForge()
  await forge.organization("acme", { members: ["mia"] })
  const tokens = new Map<string, string>()
  for (const login of [...users, "harbor", "insider", "outsider", "pusher"]) {
    tokens.set(login, (await forge.user(login)).token)
  }
  const commits = new Map<string, ReadonlyArray<string>>()
  for (const [name, numbers] of issues) {
    const repository = forge.repo(name, { private: name === SECRET })
    const built = await repository.commit({ "a.txt": name }).commit({ "b.txt": name })
    commits.set(name, built.commits)
    for (const number of numbers) await forge.issue(name, `Target ${number}`)
  }
  await forge.add({
    collaborators: [
      { repository: SECRET, login: "insider", permission: "read" },
      ...[...closable].map((repository) => ({ repository, login: "pusher", permission: "write" as const }))
    ]
  })

  const ask = async (user: string, method: string, path: string, body?: object, accept = "application/json") => {
    const token = tokens.get(user) ?? ""
    const response = await fetch(`${forge.url}${path}`, {
      method,
      headers: { accept, authorization: `Bearer ${token}`, "user-agent": "test", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${method} ${path} ${text} ${JSON.stringify(body)}`)
    const json: Json = JSON.parse(text)
    return json
  }

  /** All items of a list. */
  const all = async (user: string, path: string) => {
    const items: Array<Json> = []
    for (let page = 1; ; page++) {
      const some = await ask(user, "GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`)
      items.push(...some)
      if (some.length < 100) return items
    }
  }

  const origin = new URL((await ask("harbor", "GET", "/repos/harbor/hello/issues/1")).html_url).origin
  const world = (home: string): World => ({ origin, home, issues, commits, users, organization: "acme" })

  return {
    ask,
    all,
    world,
    close: () => forge.close(),

    /** The links in the HTML of a resource that are not URLs in the text. */
    links: async (user: string, path: string): Promise<ReadonlyArray<Link>> => {
      const { body_html } = await ask(user, "GET", path, undefined, "application/vnd.github.full+json")
      return linksOf(body_html).flatMap(({ href, text }) =>
        href.startsWith(`${origin}/`) && href !== text ? [{ text, path: href.slice(origin.length) }] : []
      )
    },

    /** A clone of a repository with its pushes, as `pusher`. */
    clone: async (name: string) => {
      const folder = mkdtempSync(join(tmpdir(), "tongs-texts-"))
      const url = `${forge.url}/${name}.git`.replace("://", `://pusher:${tokens.get("pusher")}@`)
      await run("git", ["clone", "--quiet", url, folder])
      return {
        folder,
        commit: (message: string) => {
          git(folder, ["commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--file=-"], message)
          return git(folder, ["rev-parse", "HEAD"])
        },
        /** Switches to a branch, which is created if it is missing. */
        switch: (branch: string) =>
          git(folder, [
            "checkout",
            "--quiet",
            ...(git(folder, ["branch", "--list", branch]) === "" ? ["-b"] : []),
            branch
          ]),
        /** Merges a branch into `main`. */
        merge: (branch: string) => {
          git(folder, ["checkout", "--quiet", "main"])
          git(folder, ["merge", "--quiet", "--no-ff", "-m", "Merge", branch])
        },
        push: (branch: string) => run("git", ["push", "--quiet", url, `HEAD:refs/heads/${branch}`], { cwd: folder })
      }
    }
  }
}

const linksOf = (html: string) =>
  [...html.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = "", content = ""]) => ({
    href: decoded(href),
    text: decoded(content.replace(/<[^>]*>/g, ""))
  }))

const decoded = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? "")

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" }
