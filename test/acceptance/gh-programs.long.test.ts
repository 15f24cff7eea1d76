/** Programs for developers that use gh or its token: gh-dash, lazygit and git-town. Their effects are checked. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { hasGh } from "./GhCommand.test-support.ts"
import { type GhHost, openForge } from "./GhForge.test-support.ts"
import { ghVersions } from "./GhVersions.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

const newest = ghVersions().find(({ folder, isNewest }) => isNewest && folder !== undefined)?.folder ?? ""

const isAbsent = (...names: ReadonlyArray<string>) => newest === "" || !hasGh || !hasPrograms(...names)

/** Opens a forge. `api` returns the result of a jq expression for a response of the API. */
const open = async (host: GhHost) => {
  const forge = await openForge(newest, host)
  const run = async (...lines: ReadonlyArray<string>) => {
    const results = await forge.run(lines)
    for (const { code, line, output } of results) expect([line, code], output).toEqual([line, 0])
    return results.map(({ output }) => output).join("")
  }
  return {
    ...forge,
    run,
    api: (path: string, jq: string) => run(`gh api 'repos/harbor/hello/${path}' --jq '${jq}'`),
    /** Shows a program in a terminal. */
    show: (program: string, steps: (terminal: TuiTerminal.TuiTerminal) => Effect.Effect<unknown>) => {
      const environment = Object.fromEntries(
        Object.entries(forge.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      )
      const options = { columns: 160, rows: 40, folder: () => forge.clone, environment }
      const command = [...forge.command, program]
      return Effect.runPromise(
        Effect.scoped(Effect.flatMap(TuiTerminal.start({ ...options, command }), (terminal) => steps(terminal)))
      )
    },
    /** Returns the messages of errors of validation, of all documents so far. */
    problems: () =>
      forge.documents.flatMap(({ errors }) =>
        errors.filter(({ type }) => type === undefined).map(({ message }) => message)
      )
  }
}

/** Settings of git-town for a repository whose main branch is `main`. */
const town = (connector: "api" | "gh") =>
  [
    "git config git-town.main-branch main",
    "git config git-town.forge-type github",
    `git config git-town.github-connector ${connector}`,
    "git config git-town.github-token olive",
    "git config git-town.ship-strategy api"
  ].join(" && ")

describe("programs that use gh", { timeout: 180_000 }, () => {
  it.skipIf(isAbsent("gh-dash", "tmux"))("gh-dash: lists pull requests and issues, and comments", async () => {
    const { api, problems, show } = await open("github.localhost")
    await show("gh-dash", (terminal) =>
      Effect.gen(function* () {
        yield* terminal.waitFor("My Pull Requests", "Late ships", "Finnish ships")
        terminal.text("c")
        yield* terminal.waitFor("Ctrl+d")
        terminal.text("From gh-dash")
        terminal.keys("C-d")
        const isAdded = () => api("issues/22/comments", ".[].body").then((bodies) => bodies.includes("From gh-dash"))
        yield* Effect.promise(() => expect.poll(isAdded, { timeout: 30_000 }).toBe(true))
        terminal.text("s")
        yield* terminal.waitFor("My Issues", "After two deleted ones")
      })
    )
    expect(problems()).toEqual([])
  })

  it.skipIf(isAbsent("lazygit", "tmux"))("lazygit: shows the pull request of a branch", async () => {
    const { env, problems, run, show } = await open("Enterprise")
    const folder = join(env.HOME, ".config/lazygit")
    mkdirSync(folder, { recursive: true })
    const settings = { services: { "forge.example": "github:forge.example" }, disableStartupPopups: true }
    writeFileSync(join(folder, "config.yml"), JSON.stringify(settings))
    await run("git fetch --quiet && git switch --quiet greet-danish && git switch --quiet main")
    await show("XDG_CONFIG_HOME=~/.config lazygit", (terminal) =>
      Effect.gen(function* () {
        yield* terminal.waitFor("Local branches", "greet-danish")
        terminal.text("3j")
        yield* terminal.waitFor("Open", "Danish ships", "#20")
      })
    )
    expect(problems()).toEqual([])
  })

  it.skipIf(isAbsent("git-town")).each<readonly ["api" | "gh", GhHost]>([
    ["gh", "github.localhost"],
    ["api", "Enterprise"]
  ])("git-town: proposes, finds and ships a branch by %s", async (connector, host) => {
    const { api, run } = await open(host)
    await run(
      town(connector),
      "git town hack oars && echo oak > oars.txt && git add . && git commit --quiet --message 'Add oars'"
    )
    // The API's connector opens a browser.
    if (connector === "gh") await run("git town propose --title Oars --body Oak")
    else await run("git town sync && git push --quiet -u origin oars && gh pr create --title Oars --body Oak")
    expect(await api("pulls?head=harbor:oars", '.[] | .title + " " + .body + " " + .base.ref')).toBe("Oars Oak main\n")
    await run(
      "git fetch --quiet && git town sync",
      "for attempt in $(seq 100); do test $(gh pr view oars --json mergeable --jq .mergeable) = MERGEABLE && break; sleep 0.1; done",
      "git town ship --message Shipped"
    )
    expect(await api("pulls?state=closed&head=harbor:oars", ".[].merged_at != null")).toBe("true\n")
    expect(await api("commits/main", ".commit.message")).toMatch(/^Shipped/)
    expect(await api("branches", '[.[].name] | index("oars")')).toMatch(/^(null)?\n?$/)
  })
})
