/** Programs that know only GitHub work from start to end on a forge. The effects at the forge are checked. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { git } from "./ForgeProcess.test-support.ts"
import { compareForges, gitOverHttp, type ProgramForge } from "./ProgramForges.test-support.ts"
import { cloneForTools, fixtures, install, REPOSITORY, TOKEN, versions } from "./Tools.test-support.ts"

const installed = install() ?? ""

const scenario = (program: string, work: string, run: (forge: ProgramForge) => Promise<void>) =>
  it(`${program}: ${work}`, () =>
    compareForges({ program, version: versions[program] ?? "", scenario: work, intercept: true }, fixtures, run))

const names = (rows: ReadonlyArray<{ readonly name: string }>) => rows.map(({ name }) => name).toSorted()

describe.skipIf(installed === "")("npm, registry: programs that know only GitHub", () => {
  scenario(
    "semantic-release",
    "a release with notes and an asset; comments and labels on what it contains",
    async (forge) => {
      const { api, merge, pages, propose, pull, push, run, send } = await cloneForTools(installed, forge)
      const github = {
        githubApiUrl: api,
        assets: [{ path: "hull.txt", label: "The hull" }]
      }
      const config = {
        branches: ["main"],
        repositoryUrl: `${pages}/${REPOSITORY}.git`,
        plugins: [
          "@semantic-release/commit-analyzer",
          "@semantic-release/release-notes-generator",
          ["@semantic-release/github", github]
        ]
      }
      const files = { "package.json": JSON.stringify({ name: "boats", version: "0.0.0" }), "hull.txt": "oak\n" }
      await push("main", { ...files, ".releaserc.json": JSON.stringify(config) }, "feat: float")
      const issue = await send("POST", "/issues", { title: "It sinks" })
      await push("fix", { "hull.txt": "oak and tar\n" }, `fix: close the hull\n\nFixes #${issue.number}`)
      const pullNumber = await propose("fix", "fix: close the hull", `Fixes #${issue.number}`)
      await merge(pullNumber)
      await pull()

      await run("semantic-release/bin/semantic-release.js", ["--no-ci"], { GH_TOKEN: TOKEN })
      const release = await send("GET", "/releases/tags/v1.0.0")
      expect(release.body).toMatch(/### Bug Fixes[^]*close the hull[^]*### Features[^]*float/)
      expect(release.assets).toMatchObject([{ name: "hull.txt", label: "The hull", size: "oak and tar\n".length }])
      for (const number of [issue.number, pullNumber]) {
        const { comments, labels } = await send("GET", `/issues/${number}`)
        expect([number, comments, names(labels)]).toEqual([number, 1, ["released"]])
      }
      const again = await run("semantic-release/bin/semantic-release.js", ["--no-ci"], { GH_TOKEN: TOKEN })
      expect(again).toContain("There are no relevant changes")
    }
  )

  scenario(
    "release-please",
    "the pull request of a release, its change, and the release after the merge",
    async (forge) => {
      const { api, graphql, merge, push, run, send } = await cloneForTools(installed, forge)
      const please = (command: string) =>
        run("release-please/build/src/bin/release-please.js", [
          command,
          `--token=${TOKEN}`,
          `--repo-url=${REPOSITORY}`,
          `--api-url=${api}`,
          `--graphql-url=${graphql}`,
          "--release-type=simple"
        ])
      await push("main", { "hull.txt": "oak\n" }, "feat: float")
      await push("main", { "hull.txt": "oak and tar\n" }, "fix: close the hull")
      await please("release-pr")
      const [proposed, ...more] = await send("GET", "/pulls")
      expect([proposed.title, more]).toEqual(["chore(main): release 1.0.0", []])
      expect(names(proposed.labels)).toEqual(["autorelease: pending"])
      const files = await send("GET", `/pulls/${proposed.number}/files`)
      expect(files.map(({ filename }: { readonly filename: string }) => filename)).toEqual(["CHANGELOG.md"])
      await push("main", { "deck.txt": "ash\n" }, "feat: add a deck")
      await please("release-pr")
      expect((await send("GET", `/pulls/${proposed.number}`)).body).toContain("add a deck")

      await merge(proposed.number)
      await please("github-release")
      const release = await send("GET", "/releases/latest")
      expect([release.tag_name, release.body]).toEqual(["v1.0.0", expect.stringMatching(/float[^]*close the hull/)])
      expect(names((await send("GET", `/issues/${proposed.number}`)).labels)).toEqual(["autorelease: tagged"])
    }
  )

  scenario("danger", "a comment on a pull request that later runs change, and a status", async (forge) => {
    const { api, clone, propose, push, run, send } = await cloneForTools(installed, forge)
    const rules = `const { danger, fail, message, warn } = require("danger")
      message("New: " + danger.git.created_files.join())
      if (danger.github.pr.body === "") fail("Write a description")
      schedule(async () => warn("Added: " + (await danger.git.diffForFile("deck.txt")).added))`
    const oid = await push("deck", { "deck.txt": "ash\n", "dangerfile.js": rules }, "Add a deck")
    const number = await propose("deck", "Add a deck")
    const env = {
      DANGER_GITHUB_API_TOKEN: TOKEN,
      DANGER_GITHUB_API_BASE_URL: api,
      DANGER_FAKE_CI: "YEP",
      DANGER_TEST_REPO: REPOSITORY,
      DANGER_TEST_PR: String(number)
    }
    const check = () => run("danger/distribution/commands/danger.js", ["ci"], env)
    expect(await check()).toContain("Failing the build")
    const [comment] = await send("GET", `/issues/${number}/comments`)
    expect(comment.body).toMatch(/Write a description[^]*Added: \+ash[^]*New: dangerfile.js,deck.txt/)
    const states = async () => {
      const statuses = await send("GET", `/commits/${oid}/statuses`)
      return statuses.map(({ context, state }: Readonly<Record<string, string>>) => `${context} ${state}`)
    }
    expect(await states()).toEqual(["Danger failure"])
    await send("PATCH", `/pulls/${number}`, { body: "A deck of ash" })
    await check()
    const [changed, ...more] = await send("GET", `/issues/${number}/comments`)
    expect([changed.id, changed.body.includes("Write a description"), more]).toEqual([comment.id, false, []])
    expect(await states()).toEqual(["Danger success", "Danger failure"])
    expect(git(clone, ["status", "--porcelain"])).toBe("")
  })

  scenario("auto", "labels, a comment, a status, the next version, and a release", async (forge) => {
    const { api, clone, graphql, merge, propose, pull, push, run, send } = await cloneForTools(installed, forge)
    const [owner, repo] = REPOSITORY.split("/")
    const config = {
      owner,
      repo,
      name: "Ada Quay",
      email: "ada@quay.example",
      githubApi: api,
      githubGraphqlApi: graphql,
      plugins: []
    }
    const auto = (...args: ReadonlyArray<string>) => run("auto/dist/bin/auto.js", args, { GH_TOKEN: TOKEN })
    await push("main", { ".autorc": JSON.stringify(config) }, "Begin")
    await auto("create-labels")
    expect(names(await send("GET", "/labels?per_page=100"))).toEqual(
      expect.arrayContaining(["major", "minor", "patch"])
    )
    await send("POST", "/releases", { tag_name: "v1.0.0" })
    const oid = await push("deck", { "deck.txt": "ash\n" }, "Add a deck")
    const number = await propose("deck", "Add a deck")
    await send("POST", `/issues/${number}/labels`, { labels: ["minor"] })
    await auto("comment", "--pr", String(number), "--message", "From *auto*")
    expect((await send("GET", `/issues/${number}/comments`))[0].body).toContain("From *auto*")
    const about = ["--state", "success", "--description", "Dry", "--context", "hull", "--url", "https://hull.example"]
    await auto("pr-status", "--pr", String(number), "--sha", oid, ...about)
    expect((await send("GET", `/commits/${oid}/status`)).statuses).toMatchObject([
      { context: "hull", state: "success" }
    ])
    await merge(number)
    await pull()
    expect((await auto("version", "--from", "v1.0.0")).trim()).toBe("minor")
    await auto("release", "--from", "v1.0.0", "--use-version", "v1.1.0")
    const release = await send("GET", "/releases/latest")
    expect([release.tag_name, release.body]).toEqual(["v1.1.0", expect.stringMatching(/Enhancement[^]*Add a deck/)])
    expect(await gitOverHttp(clone, ["ls-remote", "--tags", "origin"])).toContain("refs/tags/v1.1.0")
  })

  scenario("all-contributors-cli", "a person with name and picture, and who is missing", async (forge) => {
    const { clone, pages, push, run } = await cloneForTools(installed, forge)
    const [projectOwner, projectName] = REPOSITORY.split("/")
    const config = {
      projectOwner,
      projectName,
      repoType: "github",
      repoHost: pages,
      files: ["README.md"],
      commit: false,
      contributorsPerLine: 7,
      imageSize: 100,
      contributors: []
    }
    const list = "# Boats\n\n<!-- ALL-CONTRIBUTORS-LIST:START -->\n<!-- ALL-CONTRIBUTORS-LIST:END -->\n"
    await push("main", { ".all-contributorsrc": JSON.stringify(config), "README.md": list }, "List people")
    const contributors = (...args: ReadonlyArray<string>) =>
      run("all-contributors-cli/dist/cli.js", args, { PRIVATE_TOKEN: TOKEN })
    expect(await contributors("check")).toMatch(/Missing contributors[^]*ada/)
    await contributors("add", "bea", "code,doc")
    expect(JSON.parse(readFileSync(join(clone, ".all-contributorsrc"), "utf8")).contributors).toMatchObject([
      { login: "bea", name: "Bea Mole", contributions: ["code", "doc"] }
    ])
    expect(readFileSync(join(clone, "README.md"), "utf8")).toContain("<b>Bea Mole</b>")
  })

  scenario("@changesets/cli", "a changelog with pull requests and their authors", async (forge) => {
    const { clone, graphql, merge, pages, propose, pull, push, run, send } = await cloneForTools(installed, forge)
    const changelog = [
      join(installed, "node_modules/@changesets/changelog-github/dist/index.mjs"),
      { repo: REPOSITORY }
    ]
    const files = {
      "package.json": JSON.stringify({ name: "boats", version: "1.0.0" }),
      "package-lock.json": JSON.stringify({ name: "boats", version: "1.0.0", lockfileVersion: 3, packages: {} }),
      ".changeset/config.json": JSON.stringify({ changelog, baseBranch: "main", commit: false })
    }
    await push("main", files, "Begin")
    await push(
      "deck",
      { "deck.txt": "ash\n", ".changeset/deck.md": '---\n"boats": minor\n---\n\nA deck of ash\n' },
      "Add a deck"
    )
    const number = await propose("deck", "Add a deck")
    await merge(number)
    await pull()
    await run("@changesets/cli/bin.js", ["version"], {
      GITHUB_TOKEN: TOKEN,
      GITHUB_GRAPHQL_URL: `${graphql}/graphql`,
      GITHUB_SERVER_URL: pages
    })
    const text = readFileSync(join(clone, "CHANGELOG.md"), "utf8")
    expect(text).toContain("## 1.1.0")
    const { html_url: link, user } = await send("GET", `/pulls/${number}`)
    expect(text).toContain(`[#${number}](${link})`)
    expect(text).toContain(`Thanks [@ada](${user.html_url})! - A deck of ash`)
  })
})
