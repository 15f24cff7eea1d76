/**
 * The test kit in the form for users: the first steps of docs/testing.md, in an empty folder and with each test runner.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { environment, type Published, publishLocally } from "./LocalRegistry.test-support.ts"
import {
  CASE_TIMEOUT,
  compile,
  compilerVersions,
  lintPackages,
  project,
  run,
  succeed,
  timed,
  write
} from "./OutsideProject.test-support.ts"

const document = readFileSync(join(import.meta.dirname, "../../docs/testing.md"), "utf8")

/** The first test of the documentation. */
const [, example = ""] = /```ts\n([^]*?)```/.exec(document) ?? []

/** The rows of the table in the documentation: install, import and run with each test runner. */
const runners = [...document.matchAll(/^\| (\w+) \| `(npm install [^`]+)` \| `([^|]+)` \| `([^`]+)` \|$/gm)].map(
  ([, name = "", install = "", imports = "", command = ""]) => ({ name, install, imports, command })
)

/** A test that fails after a request. */
const FAILING = `
test("fails", async () => {
  await fetch(\`\${forge.url}/repos/acme/missing\`)
  assert.fail("on purpose")
})
`

/** The entry points, with types. */
const TYPED = `import { type Route, startForge, type TestForge, type TestRepository } from "@tongs/testing"
import { intercept } from "@tongs/testing/intercept"
import { useForge as inJest } from "@tongs/testing/jest"
import { useForge as inNode } from "@tongs/testing/node"
import { useForge as inVitest } from "@tongs/testing/vitest"

export const forges: ReadonlyArray<TestForge> = [inJest(), inNode({ limits: "spec" }), inVitest()]
export const main = async () => {
  const forge = await startForge({ seed: 2 })
  const repo: TestRepository = await forge.repo("acme/web").commit({ "README.md": "hi" }).branch("fix")
  const route: Route = "GET /repos/{owner}/{repo}"
  forge.slow(route, "2 seconds")
  const intercepted: Disposable = intercept(forge)
  return { sha: repo.commits[0]?.toUpperCase(), status: forge.requests.to(route)[0]?.status, intercepted }
}
// @ts-expect-error -- a route has a method
export const wrong: Route = "/repos/{owner}/{repo}"
`

/** Sends a request for GitHub to the forge. */
const INTERCEPTING = `import { startForge } from "@tongs/testing"
import { intercept } from "@tongs/testing/intercept"

const forge = await startForge()
await forge.repo("acme/web").commit({ "README.md": "hi" })
const intercepted = intercept(forge)
const response = await fetch("https://api.github.com/repos/acme/web")
console.log(response.status, (await response.json()).full_name)
intercepted[Symbol.dispose]()
await forge.close()
`

let published: Published
let temporary = ""

beforeAll(async () => {
  published = await timed("packing and publishing", () => publishLocally("@tongs/testing"))
  temporary = published.folder()
}, CASE_TIMEOUT)

afterAll(() => published.close())

/** Environment of a developer, with a separate folder for temporary files. */
const environmentOf = (home: string) => ({
  ...environment(home, published.url, dirname(process.execPath)),
  TMPDIR: temporary
})

/** Processes whose environment contains the temporary folder. */
const running = () =>
  readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`TMPDIR=${temporary}\0`)
    } catch {
      return false
    }
  })

/** Files of the forge, without the caches that jest and npm keep in the folder. */
const leftFiles = () => readdirSync(temporary).filter((name) => !/^(jest_|node-compile-cache$)/.test(name))

const isNewer = (one: string, two: string) => one.localeCompare(two, "en", { numeric: true }) > 0

describe("the first test of the documentation", () => {
  it("is there for three runners", () => {
    expect(runners.map(({ name }) => name)).toEqual(["Node", "vitest", "jest"])
    expect(example).toContain(runners[0]?.imports.replace("`<br>`", "\n"))
    expect(isNewer(process.versions.node, "24.9")).toBe(true)
  })

  for (const { command, imports, install, name } of runners) {
    it(`passes with ${name}, and prints the requests of a failing one`, { timeout: CASE_TIMEOUT }, async () => {
      const folder = published.folder()
      const options = { cwd: folder, env: environmentOf(folder) }
      await succeed("sh", ["-c", "npm init -y"], options)
      await timed(install, () => succeed("sh", ["-c", install], options))
      const text = example.replace(/import \{ test \}.*\nimport \{ useForge \}.*/, imports.replace("`<br>`", "\n"))
      write(folder, { "bot.test.mjs": text })
      const passed = await timed(command, () => succeed("sh", ["-c", command], options))
      expect(passed).toMatch(/pass/)
      expect(passed).not.toContain("The last requests to the forge")

      write(folder, { "bot.test.mjs": `${text}${FAILING}` })
      const failed = await timed(`${command}, with a failure`, () => run("sh", ["-c", command], options))
      expect(failed.code, failed.output).toBe(1)
      expect(failed.output).toContain("on purpose")
      expect(failed.output).toMatch(/The last requests to the forge:\s+GET \/repos\/acme\/missing: 404/)
      await expect.poll(running, { timeout: 10_000 }).toEqual([])
      expect(leftFiles()).toEqual([])
    })
  }
})

it("leads requests for GitHub to the forge", { timeout: CASE_TIMEOUT }, async () => {
  const folder = await project(published, "@tongs/testing", "@mswjs/interceptors")
  write(folder, { "program.js": INTERCEPTING })
  const printed = await succeed(process.execPath, ["program.js"], { cwd: folder, env: environmentOf(folder) })
  expect(printed).toContain("200 acme/web\n")
  expect(leftFiles()).toEqual([])
})

describe("the package", () => {
  it("has the licences of its code, and installs openpgp alone", { timeout: CASE_TIMEOUT }, async () => {
    const modules = join(await project(published, "@tongs/testing"), "node_modules")
    expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["@tongs", "openpgp"])
    const file = (path: string) => readFileSync(join(modules, "@tongs/testing", path), "utf8")
    for (const name of ["- effect ", "- markdown-it ", "- graphql ", "- @scalar/api-reference "]) {
      expect(file("THIRD-PARTY-NOTICES.md")).toContain(name)
    }
    expect(file("LICENSE")).toContain("MIT License")
    expect(file("package.json")).not.toMatch(/@tongs\/(source|internal|service)|catalog:|workspace:|"private"/)
  })

  it("has no problem for publint and attw", { timeout: CASE_TIMEOUT }, async () => {
    expect(published.files).toHaveLength(1)
    await lintPackages(published)
  })

  it("has complete types", { timeout: CASE_TIMEOUT }, async () => {
    const folder = await project(published, "@tongs/testing")
    write(folder, { "program.ts": TYPED })
    for (const version of compilerVersions) {
      for (const resolution of ["nodenext", "bundler"] as const) await compile(published, version, folder, resolution)
    }
  })
})
