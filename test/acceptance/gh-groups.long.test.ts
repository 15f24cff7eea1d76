/** GitHub's CLI reads all groups of the contract from a forge with a fixture file. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { write } from "../conformance/ConformanceFixture.test-support.ts"
import { ghFor, hasGh } from "./GhCommand.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"
import { git, temporaryFolder, serve } from "./ForgeProcess.test-support.ts"

const setUp = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const world = write(root, "http://127.0.0.1:9")
  const serving = await serve(root, "--dialect", "github", "--fixtures", world.file, "--search-deadline", "60000")
  const olive = { ...serving, token: "olive" }
  return { root, world, olive, ...(await ghFor(root, olive)) }
}

const HELLO = "repos/harbor/hello"
const SINCE = "min_timestamp=2020-01-01T00:00:00Z"

/** Paths with a jq expression and the expected result. */
const reads: ReadonlyArray<readonly [path: string, jq: string, expected: string]> = [
  ["", '.rate_limit_url | endswith("/rate_limit")', "true"],
  ["user", ".login", "olive"],
  ["users/piers", ".name", "Piers Quay"],
  [HELLO, ".topics[0]", "ships"],
  [`${HELLO}/branches`, '[.[].name]|join(",")', "clash,main,old,side"],
  [`${HELLO}/tags`, '[.[].name]|sort|join(",")', "light,v1"],
  [`${HELLO}/git/ref/tags/v1`, ".object.type", "tag"],
  [`${HELLO}/commits`, ".[0].commit.message", "Write a manual"],
  [`${HELLO}/contents/README.md`, '.content|@base64d|ltrimstr("# ")|split("\\n")[0]', "Hello"],
  [
    `${HELLO}/git/trees/main?recursive=1`,
    '[.tree[]|select(.type=="blob").path]|join(",")',
    "LICENSE,README.md,docs/manual.md,link,src/README.md,src/greet.ts"
  ],
  ["search/code?q=ahoy+repo:harbor/hello", '[.items[].path]|sort|join(",")', "docs/manual.md,src/greet.ts"],
  [`${HELLO}/comments`, '[.[].id]|join(",")', "11,12,13"],
  [`${HELLO}/pulls/comments`, '[.[].body]|join(",")', "_Why?_,Because."],
  [`${HELLO}/actions/artifacts?name=report`, ".artifacts[0].expired", "false"],
  [`${HELLO}/events`, '[.[].type]|index("WatchEvent") != null', "true"],
  ["orgs/harbor/events", ".[0].org.login", "harbor"],
  [`${HELLO}/hooks`, ".[0].config.secret", "********"],
  ["orgs/harbor/hooks", ".[0].events[0]", "push"],
  ["orgs/harbor/actions/permissions", ".enabled_repositories", "all"],
  ["enterprises/coast/actions/cache/retention-limit", ".max_cache_retention_days|type", "number"],
  ["organizations/harbor/settings/billing/usage", '[.usageItems[].product]|unique|join(",")', "Actions,Copilot"],
  [`${HELLO}/copilot/cloud-agent/configuration`, ".custom_allowlist[0]", "charts.harbor.example"],
  ["user/keys", '[.[].title]|join(",")', "lamp,spare"],
  ["user/blocks", ".[0].login", "nell"],
  ["orgs/harbor/rulesets", '[.[].enforcement]|sort|join(",")', "active,evaluate"],
  ["orgs/harbor/rulesets/1", '[.rules[].type]|join(",")', "deletion,update"],
  ["user/installations", '[.installations[].app_slug]|unique|join(",")', "buoy"],
  [`orgs/harbor/insights/api/summary-stats?${SINCE}`, ".total_request_count > 5", "true"]
]

it.skipIf(!hasGh)("gh and openssl: `gh api` reads each group", async () => {
  const { run } = await setUp()
  for (const [path, jq, expected] of reads)
    expect([path, await run("api", `/${path}`, "--jq", jq)]).toEqual([path, expected])
  const slurped = await run("api", "--paginate", `/${HELLO}/comments?per_page=1`, "--jq", ".[].id")
  expect(slurped).toBe("11\n12\n13")
  await run("api", "-X", "POST", "/orgs/harbor/projectsV2/1/views", "-f", "name=All", "-f", "layout=table")
  await expect(run("api", "/repos/harbor/none")).rejects.toThrow(/HTTP 404/)
})

it.skipIf(!hasGh)("gh and openssl: `gh ssh-key` lists, adds and deletes", async () => {
  const { root, run } = await setUp()
  expect(await run("ssh-key", "list")).toMatch(/^lamp\tssh-ed25519 /m)
  const file = join(root, "new.pub")
  writeFileSync(file, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3q7kGx1nTbq0bVqYQW4m1x0h3m2q2v1Jm0wq3sU4nN new@lamp\n")
  await run("ssh-key", "add", file, "--title", "by gh")
  const line = (await run("ssh-key", "list")).split("\n").find((line) => line.startsWith("by gh"))
  const id = await run("api", "/user/keys", "--jq", '.[]|select(.title=="by gh").id')
  expect(line).toContain(id)
  await run("ssh-key", "delete", id, "--confirm")
  expect(await run("ssh-key", "list")).not.toContain("by gh")
})

it.skipIf(!hasGh)("gh and openssl: `gh run download` fetches an artifact", async () => {
  const { host, root, run } = await setUp()
  await run("run", "download", "7", "--repo", `${host}/harbor/hello`, "--name", "report", "--dir", join(root, "out"))
  expect(readFileSync(join(root, "out", "report.txt"), "utf8")).toBe("all is well\n")
})

it.skipIf(!hasGh)("gh and openssl: `gh repo clone` clones a public and a private repository", async () => {
  const { host, olive, root, run } = await setUp()
  await octokitFor(olive).rest.repos.createInOrg({ org: "harbor", name: "made", private: true, auto_init: true })
  await run("repo", "clone", "harbor/made")
  expect(readFileSync(join(root, "made", "README.md"), "utf8")).toContain("# made")
  await run("repo", "clone", "harbor/hello", "a", "--", "--depth=1")
  expect(git(join(root, "a"), ["rev-list", "--count", "HEAD"])).toBe("1")
  expect(git(join(root, "a"), ["remote", "get-url", "origin"])).toBe(`https://${host}/harbor/hello.git`)
  await expect(run("repo", "clone", "harbor/none")).rejects.toThrow(/Could not resolve to a Repository/)
  expect(await run("api", "graphql", "-f", "query=query{viewer{login}}", "--jq", ".data.viewer.login")).toBe("olive")
})
