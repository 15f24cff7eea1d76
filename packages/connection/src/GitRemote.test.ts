import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, git } from "@tongs/service/git/Fixture.test-support"
import * as GitRemote from "./GitRemote.ts"

const GITHUB = "https://api.github.com"

describe("parseUrl", () => {
  for (const [url, expected] of [
    ["https://github.com/octo/hello.git", "github.com octo/hello"],
    ["https://mona:secret@GitHub.com/octo/hello/", "github.com octo/hello"],
    ["ssh://git@forge.example:2222/octo/he.llo.git", "forge.example octo/he.llo"],
    ["git+ssh://git@forge.example/octo/hello", "forge.example octo/hello"],
    ["git@forge.example:octo/hello.git", "forge.example octo/hello"],
    ["forge.example:/octo/hello", "forge.example octo/hello"],
    ["https://forge.example/group/sub/hello", undefined],
    ["https://forge.example/hello", undefined],
    ["../hello", undefined],
    ["/srv/git/octo/hello.git", undefined],
    ["file:///srv/octo/hello", undefined],
    ["ext::sh -c x octo/hello", undefined],
    ["https://forge.example/octo/he%2fllo", undefined],
    ["", undefined]
  ] as const) {
    it(`parses ${url} as ${expected ?? "no repository"}`, () => {
      const read = GitRemote.parseUrl(url)
      assert.strictEqual(read === undefined ? undefined : `${read.host} ${read.owner}/${read.repo}`, expected)
    })
  }
})

describe("chooseRepository", () => {
  const choose = (forge: string, remotes: Record<string, string>) => {
    const { repository: here, repositoryProblem: hereProblem } = GitRemote.chooseRepository(
      new Map(Object.entries(remotes)),
      forge
    )
    return here === undefined ? hereProblem : `${here.owner}/${here.repo}`
  }
  const at = (name: string, host = "forge.example") => `git@${host}:octo/${name}.git`

  it("prefers origin, then the only remote, on the forge's host", () => {
    assert.strictEqual(choose("forge.example", { fork: at("a"), origin: at("b") }), "octo/b")
    assert.strictEqual(choose("forge.example", { fork: at("a") }), "octo/a")
    assert.strictEqual(choose("api.github.com", { origin: at("a", "github.com") }), "octo/a")
    assert.strictEqual(choose("api.github.com", { origin: at("a", "ssh.github.com") }), "octo/a")
  })

  it("explains why no repository was found, without the password of a URL", () => {
    assert.match(choose("forge.example", {}) ?? "", /no git remote/)
    assert.match(choose("forge.example", { a: at("a"), b: at("b") }) ?? "", /named origin/)
    assert.match(
      choose("forge.example", { origin: at("a", "elsewhere.example") }) ?? "",
      /on elsewhere\.example, not on forge/
    )
    assert.match(choose("example", { origin: at("a", "api.example") }) ?? "", /not on example/)
    assert.notInclude(choose("forge.example", { origin: "https://mona:secret@forge.example/a" }) ?? "", "secret")
  })
})

describe("findRepository", () => {
  it.effect("reads the enclosing repository without running or including anything", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "clone")
      git(root, ["init", "--quiet", path])
      assert.match((yield* GitRemote.findRepository(path, GITHUB)).repositoryProblem ?? "", /no git remote/)
      mkdirSync(join(path, "src"))
      git(path, ["config", "remote.origin.url", "git@github.com:octo/hello.git"])
      git(path, ["config", "--add", "remote.origin.url", "git@github.com:octo/second.git"])
      const canary = join(root, "canary")
      appendFileSync(
        join(path, ".git/config"),
        `[core]\n\tfsmonitor = touch ${canary}\n\tsshCommand = touch ${canary}\n\tpager = touch ${canary}\n[alias]\n\tconfig = !touch ${canary}\n[include]\n\tpath = ${join(root, "fifo")}\n`
      )
      execFileSync("mkfifo", [join(root, "fifo")])
      const found = yield* GitRemote.findRepository(join(path, "src"), GITHUB)
      assert.deepStrictEqual(found.repository, { owner: "octo", repo: "hello" })
      assert.isFalse(existsSync(canary))
    })
  )

  it.effect("gives up if the configuration cannot be read", () =>
    Effect.gen(function* () {
      const root = yield* folder
      git(root, ["init", "--quiet", root])
      rmSync(join(root, ".git/config"))
      execFileSync("mkfifo", [join(root, ".git/config")])
      assert.isUndefined((yield* GitRemote.findRepository(root, GITHUB)).repository)
      assert.isUndefined((yield* GitRemote.findRepository(join(root, "nowhere"), GITHUB)).repository)
    })
  )
})
