import { execFileSync } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git } from "../git/Fixture.test-support.ts"
import * as Fixtures from "../main/Fixtures.ts"
import * as Support from "../main/Forge.test-support.ts"

const { TestForge } = Support

interface Merge {
  readonly title: string
  readonly user: string
  readonly labels?: ReadonlyArray<string>
}

/** The pull requests in the order of their merges. A tag follows the pull request with this index. */
const merges: ReadonlyArray<Merge> = [
  { title: "Start", user: "ann" },
  { title: "Fix the lamp", user: "ann", labels: ["bug"] },
  { title: "Add a horn", user: "ben", labels: ["Feature", "bug"] },
  { title: "Bump parts", user: "robot", labels: ["bug"] },
  { title: "Hide this", user: "ben", labels: ["skip"] },
  { title: "Paint the door", user: "cleo" }
]
const tags = new Map([[0, "v1"]])

const CONFIG = `changelog:
  exclude:
    labels: [skip]
  categories:
    - title: Features
      labels:
        - feature
    - title: Fixes
      labels: ["bug"]
      exclude:
        authors: [robot]
    - title: The rest
      labels: ["*"]
`

/** Creates a commit on a branch for each pull request, and merges it. */
const prepareRepository = (repos: string, name: string, config: string | undefined) => {
  const path = Support.repository(repos, name, config === undefined ? { a: "a" } : { ".github/release.yml": config })
  for (const [index] of merges.entries()) {
    git(path, ["checkout", "--quiet", "-b", `topic-${index}`])
    commit(path, { [`file-${index}`]: String(index) }, `change ${index}`)
    git(path, ["reset", "--quiet", "--hard"])
    git(path, ["checkout", "--quiet", "main"])
    const date = `${1_700_000_000 + index * 60} +0000`
    execFileSync("git", ["-C", path, "merge", "--quiet", "--no-ff", "-m", `merge ${index}`, `topic-${index}`], {
      env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date, ...person }
    })
    git(path, ["tag", `merge-${index}`])
    const tag = tags.get(index)
    if (tag !== undefined) git(path, ["tag", tag])
  }
}

const person = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com"
}

const forge = Support.layer((repos) => {
  prepareRepository(repos, "plain", undefined)
  prepareRepository(repos, "grouped", CONFIG)
})

/** Loads the accounts and the pull requests, whose numbers begin with 1. */
const fill = Effect.gen(function* () {
  const { owner, repos } = yield* TestForge
  yield* Fixtures.add(
    {
      users: ["ann", "ben", "cleo", "robot"].map((login) => ({ login })),
      pull_requests: ["plain", "grouped"].flatMap((name) =>
        merges.map(({ labels = [], title, user }, index) => ({
          repository: `${owner}/${name}`,
          user,
          title,
          labels,
          number: index + 1,
          head: `topic-${index}`,
          merge_commit: `merge-${index}`
        }))
      )
    },
    repos
  )
})

/** The notes by the definition: the pull requests after the tag, and the authors without earlier ones. */
const expected = (name: string, first: number, groups: ReadonlyArray<readonly [string, ReadonlyArray<number>]>) => {
  const url = `http://forge.localhost/keeper/${name}`
  const line = (index: number) => `* ${merges[index]?.title} by @${merges[index]?.user} in ${url}/pull/${index + 1}`
  const lines = groups.flatMap(([title, indices]) => [...(title === "" ? [] : [`### ${title}`]), ...indices.map(line)])
  const listed = groups.flatMap(([, indices]) => indices).toSorted((a, b) => a - b)
  const isNew = (index: number) => merges.findIndex(({ user }) => user === merges[index]?.user) === index
  const newcomers = listed
    .filter(isNew)
    .map((index) => `* @${merges[index]?.user} made their first contribution in ${url}/pull/${index + 1}`)
  return [
    "## What's Changed",
    ...lines,
    "",
    ...(newcomers.length === 0 ? [""] : ["## New Contributors", ...newcomers, ""]),
    `**Full Changelog**: ${url}/${first === 0 ? "commits/v2" : "compare/v1...v2"}`
  ].join("\n")
}

layer(forge)("generated notes", (it) => {
  it.effect("list the pull requests merged since the previous tag", () =>
    Effect.gen(function* () {
      yield* fill
      const { ask, base, get } = yield* TestForge
      const notes = (repo: string, body: object) => ask("POST", `${base}/${repo}/releases/generate-notes`, { body })
      const all = yield* notes("plain", { tag_name: "v2" })
      assert.deepStrictEqual(all.json, { name: "v2", body: expected("plain", 0, [["", [0, 1, 2, 3, 4, 5]]]) })
      const since = yield* notes("plain", { tag_name: "v2", previous_tag_name: "v1" })
      assert.strictEqual(since.json.body, expected("plain", 1, [["", [1, 2, 3, 4, 5]]]))
      yield* ask("POST", `${base}/plain/releases`, { body: { tag_name: "v1" } })
      assert.deepStrictEqual((yield* notes("plain", { tag_name: "v2" })).json, since.json)
      for (const wrong of [{ previous_tag_name: "no" }, { target_commitish: "no" }])
        assert.strictEqual((yield* notes("plain", { tag_name: "v2", ...wrong })).status, 422)
      const nothing = yield* notes("plain", { tag_name: "v2", previous_tag_name: "merge-5" })
      assert.strictEqual(
        nothing.json.body,
        "**Full Changelog**: http://forge.localhost/keeper/plain/compare/merge-5...v2"
      )
      const made = yield* ask("POST", `${base}/plain/releases`, {
        body: { tag_name: "v2", body: "Hello", generate_release_notes: true }
      })
      assert.deepStrictEqual([made.json.name, made.json.body], ["v2", `Hello\n\n${since.json.body}`])
      assert.strictEqual((yield* get(`${base}/plain/releases/latest`)).json.mentions_count, 4)
    })
  )

  it.effect("have the categories of the configuration", () =>
    Effect.gen(function* () {
      yield* fill
      const { ask, base } = yield* TestForge
      const { json } = yield* ask("POST", `${base}/grouped/releases/generate-notes`, {
        body: { tag_name: "v2", previous_tag_name: "v1", target_commitish: "main" }
      })
      const body = expected("grouped", 1, [
        ["Features", [2]],
        ["Fixes", [1]],
        ["The rest", [3, 5]]
      ])
      assert.strictEqual(
        json.body,
        `<!-- Release notes generated using configuration in .github/release.yml at main -->\n\n${body}`
      )
      const other = yield* ask("POST", `${base}/grouped/releases/generate-notes`, {
        body: { tag_name: "v2", previous_tag_name: "v1", configuration_file_path: "none.yml" }
      })
      assert.strictEqual(other.json.body, expected("grouped", 1, [["", [1, 2, 3, 4, 5]]]))
    })
  )
})
