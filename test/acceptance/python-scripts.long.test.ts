/** Scripts of maintainers with PyGithub and ghapi work from start to end on a forge. The effects are checked. */
import { expect, it } from "vitest"
import { pythonWithClients, runScript } from "./PythonClients.test-support.ts"
import { REPOSITORY, serveTools, TOKEN } from "./Tools.test-support.ts"

const python = pythonWithClients()

const BEA = "bea-token"

/** A forge with issues, more than the usual page has, of which every fifth has no body. */
const start = async (count: number) => {
  const title = (number: number) => {
    if (number % 10 === 0) return "Crash in a storm"
    return number % 7 === 0 ? `Crash ${number}` : `Leak ${number}`
  }
  const issues = Array.from({ length: count }, (_, index) => ({
    repository: REPOSITORY,
    user: "bea",
    number: index + 1,
    title: title(index + 1),
    created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    ...((index + 1) % 5 === 0 ? {} : { body: "It happens at sea" })
  }))
  const tokens = [
    { token: TOKEN, user: "ada", scopes: ["repo"] },
    { token: BEA, user: "bea", scopes: ["repo"] }
  ]
  const forge = await serveTools("", { issues, tokens })
  const input = { url: forge.url, repository: REPOSITORY, ada: TOKEN, bea: BEA }
  return { ...forge, run: (script: string) => runScript<any>(python ?? "", script, input) } // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
}

interface Named {
  readonly name: string
}

const names = (items: ReadonlyArray<Named>) => items.map(({ name }) => name)

it.skipIf(python === undefined)("Python, PyPI: PyGithub triages issues, merges a change and publishes it", async () => {
  const { push, run, send } = await start(35)
  await push("main", { "hull.txt": "oak\n" }, "Add a hull")
  await send("POST", "/releases", { tag_name: "v1.0.0" })
  const { lists, proposal, release, triage } = await run("pygithub_maintenance.py")

  expect(triage).toEqual({
    bugs: [7, 10, 14, 21, 28, 35],
    questions: [5, 15, 25],
    duplicates: [20, 30],
    found: [7, 10, 14, 21, 28, 35]
  })
  const bug = await send("GET", "/issues/7")
  expect([names(bug.labels), bug.milestone.title, bug.assignee.login]).toEqual([["bug"], "next", "bea"])
  expect(await send("GET", "/issues/5/comments")).toMatchObject([{ body: "What do you see?", reactions: { eyes: 1 } }])
  expect(await send("GET", "/issues/20")).toMatchObject({
    state: "closed",
    state_reason: "not_planned",
    active_lock_reason: "resolved"
  })
  expect(proposal).toMatchObject({
    reviews: [
      ["bea", "CHANGES_REQUESTED"],
      ["bea", "APPROVED"]
    ],
    comments: [
      ["bea", "Which sails?"],
      ["ada", "Those of linen"]
    ]
  })
  expect(await send("GET", `/pulls/${proposal.number}`)).toMatchObject({ merged: true, title: "Describe the sails" })
  expect(names(await send("GET", "/branches"))).toEqual(["main"])
  expect(release).toEqual({ tag: "v1.1.0", asset: "boats.txt", files: 1 })
  expect(await send("GET", "/releases/latest")).toMatchObject({
    body: `- Describe the sails (#${proposal.number})\n`,
    assets: [{ label: "The boats", size: "oak and linen\n".length }]
  })
  expect(lists).toEqual({
    total: 36,
    last: 36,
    slice: [29, 30, 31, 32],
    page: [31, 32],
    all: 36,
    tree: ["README.md", "hull.txt"],
    commits: [`Describe the sails (#${proposal.number})`, "Add a hull"]
  })
})

it.skipIf(python === undefined)("Python, PyPI: ghapi triages issues, merges a change and publishes it", async () => {
  const { push, run, send } = await start(25)
  const oid = await push("main", { "hull.txt": "oak\n" }, "Add a hull")
  const { change, release, triage } = await run("ghapi_maintenance.py")

  expect(triage).toEqual({
    numbers: Array.from({ length: 25 }, (_, index) => index + 1),
    pages: 3,
    all: 25,
    comments: [],
    missing: 404
  })
  expect((await send("GET", "/issues/1")).state).toBe("closed")
  expect(await send("GET", "/issues?labels=needs-info&direction=asc")).toMatchObject(
    [5, 10, 15, 20, 25].map((number) => ({ number, comments: 1 }))
  )
  expect(change).toMatchObject({
    parent: oid,
    files: ["hull.txt", "masts/fore.txt", "masts/main.txt"],
    readme: "# Masts\n",
    listed: [[change.pull, "Add masts"]],
    diff: 3,
    reviews: ["Fine"],
    merged: true,
    branches: ["refs/heads/main", "refs/heads/pages"]
  })
  expect(await send("GET", "/contents/masts/main.txt")).toMatchObject({ content: "cGluZQo=\n" })
  expect((await send("GET", "/commits?sha=pages"))[0].parents).toEqual([])
  expect(release).toEqual({ name: "v1.1", assets: ["boats.txt"], tags: ["refs/tags/1.1"] })
})
