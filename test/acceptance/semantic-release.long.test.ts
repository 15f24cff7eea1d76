/** semantic-release tags releases over HTTP: ls-remote, a push as a trial, tags and notes. */
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { write } from "../conformance/ConformanceFixture.test-support.ts"
import { commit, git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"
import { install } from "./Tools.test-support.ts"

const installed = install()
const program =
  installed === undefined ? undefined : join(installed, "node_modules/semantic-release/bin/semantic-release.js")

const setUp = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const world = write(root, "http://127.0.0.1:9")
  const { url } = await serve(root, "--dialect", "github", "--fixtures", world.file)
  const octokit = octokitFor({ token: "olive", url })
  const made = await octokit.rest.repos.createInOrg({ org: "harbor", name: "made", auto_init: true })
  const path = join(root, "made")
  const address = made.data.clone_url
  git(root, ["clone", "--quiet", address.replace("//", "//olive@"), path])
  writeFileSync(join(path, "package.json"), JSON.stringify({ name: "made", version: "0.0.0-development" }))
  const plugins = ["@semantic-release/commit-analyzer", "@semantic-release/release-notes-generator"]
  const flags = ["--no-ci", "--branches", "main", "--repository-url", address, "--plugins", plugins.join(",")]
  const release = (env: Readonly<Record<string, string>>, ...more: ReadonlyArray<string>) =>
    promisify(execFile)(process.execPath, [program ?? "", ...flags, ...more], {
      cwd: path,
      env: { PATH: process.env["PATH"], HOME: root, ...env },
      timeout: 120_000
    })
  /** Commits and pushes, as a developer would. */
  const work = (message: string) => {
    commit(path, { "file.txt": message }, message)
    git(path, ["push", "--quiet", "origin", "main"])
    return git(path, ["rev-parse", "HEAD"])
  }
  const refs = async (prefix: string) =>
    (await octokit.rest.git.listMatchingRefs({ owner: "harbor", repo: "made", ref: prefix })).data.map(({ ref }) => ref)
  return { octokit, refs, release, work }
}

it.skipIf(program === undefined)("npm, registry: semantic-release tags releases over HTTP", async () => {
  const { octokit, refs, release, work } = await setUp()
  const first = work("feat: greet ships")

  const trial = await release({ GH_TOKEN: "olive" }, "--dry-run")
  expect(trial.stdout).toContain("the next release version is 1.0.0")
  expect(await refs("tags/")).toEqual([])

  // The token as the user name
  expect((await release({ GH_TOKEN: "olive" })).stdout).toContain("Created tag v1.0.0")
  const tag = await octokit.rest.git.getRef({ owner: "harbor", repo: "made", ref: "tags/v1.0.0" })
  expect(tag.data.object.sha).toBe(first)

  // The token as the password of x-access-token, as in GitHub's workflows
  work("fix: greet them louder")
  const workflow = { GITHUB_ACTION: "1", GITHUB_TOKEN: "olive" }
  expect((await release(workflow)).stdout).toContain("Created tag v1.0.1")
  expect(await refs("tags/")).toEqual(["refs/tags/v1.0.0", "refs/tags/v1.0.1"])
  expect(await refs("notes/")).toEqual(["v1.0.0", "v1.0.1"].map((name) => `refs/notes/semantic-release-${name}`))
  expect((await release(workflow)).stdout).toContain("There are no relevant changes")

  work("feat: greet planes")
  await expect(release({ GH_TOKEN: "nell" })).rejects.toThrow(/EGITNOPERMISSION/)
  expect(await refs("tags/")).toHaveLength(2)
})
