/** The libraries in the form for users: published to a local registry, then compiled and run in outside projects. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { skipReason, startBrowser } from "./ExplorerBrowser.test-support.ts"
import { listeningUrl, type Published, publishLocally } from "./LocalRegistry.test-support.ts"
import {
  CASE_TIMEOUT,
  compile,
  compilerVersions,
  lintPackages,
  project,
  run,
  succeed,
  timed,
  tools,
  write
} from "./OutsideProject.test-support.ts"
import { RESULT, runningClient, TYPED_CLIENT, TYPED_CORE } from "./PublishedLibrary.test-support.ts"

let published: Published
/** A project with the client, without Effect. */
let client = ""
/** A project with the core and Effect. */
let core = ""

beforeAll(async () => {
  published = await timed("packing and publishing", () => publishLocally("@tongs/core", "@tongs/client"))
  client = await project(published, "@tongs/client")
  core = await project(published, "@tongs/core", "effect@~4.1.0")
}, CASE_TIMEOUT)

afterAll(() => published.close())

it("have licences, and no conditions of this workspace", () => {
  for (const folder of [join(client, "node_modules/@tongs/client"), join(core, "node_modules/@tongs/core")]) {
    const file = (path: string) => readFileSync(join(folder, path), "utf8")
    expect(file("package.json")).not.toMatch(/@tongs\/(source|internal)|catalog:|workspace:/)
    expect(file("package.json")).toContain('"url": "git+https://github.com/octo/tongs.git"')
    expect(file("THIRD-PARTY-NOTICES.md")).toContain("- effect ")
    expect(file("LICENSE")).toContain("MIT License")
  }
})

it("the client installs itself and the types of Octokit", () => {
  const folder = join(client, "node_modules")
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /^(@[^/]+\/)?[^/@.]+\/package\.json$/.test(path))
    .map((path) => path.replace("/package.json", ""))
  expect(names.toSorted()).toEqual(["@octokit/openapi-types", "@tongs/client"])
})

it("publint and attw find no problem", { timeout: CASE_TIMEOUT }, async () => {
  expect(published.files).toHaveLength(2)
  await lintPackages(published)
})

describe("the types", () => {
  for (const version of compilerVersions) {
    for (const resolution of ["nodenext", "bundler"] as const) {
      it(`of the client, with TypeScript ${version} and ${resolution}`, { timeout: CASE_TIMEOUT }, async () => {
        expect(existsSync(join(client, "node_modules/effect"))).toBe(false)
        write(client, { "program.ts": TYPED_CLIENT })
        await compile(published, version, client, resolution)
      })

      // The declarations of Effect use generic types of TypeScript 5.7.
      it(`of the core, with TypeScript ${version} and ${resolution}`, { timeout: CASE_TIMEOUT }, async () => {
        write(core, { "program.ts": TYPED_CORE })
        await compile(published, version, core, resolution, version === "5.5")
      })
    }
  }
})

describe("the client runs", () => {
  beforeAll(() => write(client, runningClient))

  describe("on Node", () => {
    const versions = ["20", "22", "24"]
    let modules = ""
    beforeAll(async () => {
      modules = await tools(published, Object.fromEntries(versions.map((name) => [`node-${name}`, `node@${name}`])))
    }, CASE_TIMEOUT)

    for (const version of versions) {
      it(version, { timeout: CASE_TIMEOUT }, async () => {
        const node = join(modules, `node-${version}/bin/node`)
        expect(await succeed(node, ["--version"])).toMatch(new RegExp(`^v${version}\\.`))
        for (const file of ["program.js", "program.cjs"]) {
          const printed = await timed(`Node ${version}, ${file}`, () => succeed(node, [file], { cwd: client }))
          expect(printed).toContain(RESULT)
        }
      })
    }
  })

  it("on Bun", { timeout: CASE_TIMEOUT }, async (context) => {
    const bun = join(await tools(published, { bun: "bun@1.4.5" }), ".bin/bun")
    context.skip((await run(bun, ["--version"])).code !== 0, "npm has no Bun for this machine")
    for (const file of ["program.js", "program.cjs"]) {
      expect(await timed(`Bun, ${file}`, () => succeed(bun, [file], { cwd: client }))).toBe(`${RESULT}\n`)
    }
  })

  it("on Deno", { timeout: CASE_TIMEOUT }, async (context) => {
    const deno = join(await tools(published, { deno: "deno@2.9.6" }), ".bin/deno")
    context.skip((await run(deno, ["--version"])).code !== 0, "npm has no Deno for this machine")
    const args = ["run", "--allow-all", "--node-modules-dir=manual"]
    for (const file of ["program.js", "program.cjs"]) {
      expect(await timed(`Deno, ${file}`, () => succeed(deno, [...args, file], { cwd: client }))).toBe(`${RESULT}\n`)
    }
  })

  it.skipIf(skipReason !== "")(
    `in Chromium, built by Vite${skipReason}`,
    { timeout: CASE_TIMEOUT },
    async ({ onTestFinished }) => {
      const vite = join(await tools(published, { vite: "vite@8.3.8" }), ".bin/vite")
      const args = ["build", "--logLevel", "warn"]
      const warnings = await timed("Vite", () => succeed(vite, args, { cwd: client }))
      expect(warnings.trim()).toBe("")
      const server = createServer((request, response) => {
        const path = request.url === "/" ? "/index.html" : (request.url ?? "")
        response.setHeader("content-type", path.endsWith(".js") ? "text/javascript" : "text/html")
        response.end(existsSync(join(client, "dist", path)) ? readFileSync(join(client, "dist", path)) : "")
      })
      const url = await listeningUrl(server)
      const browser = await startBrowser()
      onTestFinished(async () => {
        await browser.close()
        server.close()
      })
      const page = await browser.newPage()
      await page.goto(url)
      await page.waitForFunction("document.title !== ''")
      expect(await page.title()).toBe(RESULT)
    }
  )
})
