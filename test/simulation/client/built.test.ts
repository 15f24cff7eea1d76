/** The built core: a self-contained Promise client, and modules that share the program's Effect. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "@tongs/core/contract/Api"
import * as PagedBranchServer from "./PagedBranchServer.test-support.ts"
import * as ModuleProcess from "./ModuleProcess.test-support.ts"

const dist = join(import.meta.dirname, "../../../packages/core/dist")

/** True if the build is newer than all sources. */
const isBuilt = () => {
  const built = join(dist, "promise.js")
  if (!existsSync(built)) return false
  const source = join(dist, "../src")
  const newest = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, { name, parentPath }) => Math.max(newest, statSync(join(parentPath, name)).mtimeMs), 0)
  return statSync(built).mtimeMs > newest
}

describe.skipIf(!isBuilt())("the built core", () => {
  it("has a self-contained Promise client in few files", () => {
    const imports = [
      ...readFileSync(join(dist, "promise.js"), "utf8").matchAll(/^(?:import|export)\b[^"]*"([^"]+)"/gm)
    ].map(([, name]) => name)
    for (const name of imports) assert.match(name ?? "", /^\.\/chunks\//)
    assert.isBelow(readdirSync(join(dist, "chunks")).length, 15)
  })

  it("loads the catalog and the document generator only on import", () => {
    const files = new Set([join(dist, "index.js")])
    for (const file of files) {
      for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export) .*?"(\.[^"]+)"/gm)) {
        files.add(join(file, "..", name))
      }
    }
    const names = [...files].map((file) => basename(file).replace(/-[\w-]{8}\.js$/, ""))
    assert.includeMembers(names, ["client", "contract"])
    assert.notInclude(names, "catalog")
  })

  it.live("works when it is installed as a package", () =>
    Effect.gen(function* () {
      const server = yield* PagedBranchServer.make(2)
      const printed = yield* ModuleProcess.runModule(
        `
        import { createForge, NotFound, UnexpectedResponse } from "@tongs/core/promise"
        await using forge = createForge({ baseUrl: "${server.baseUrl}", token: "t" })
        const repository = { owner: "o", repo: "r" }
        let count = 0
        for await (const branch of forge.branches.list(repository, { perPage: 10, concurrency: 2 })) count += 1
        const error = await forge.gitRefs.get({ ...repository, ref: "heads/a" }).catch((error) => error)
        console.log(count, error instanceof UnexpectedResponse, error instanceof NotFound)`,
        []
      )
      assert.strictEqual(printed, "20 true false")
    }).pipe(Effect.scoped)
  )

  it.live("declares the same contract for the installed Effect", () =>
    Effect.gen(function* () {
      const printed = yield* ModuleProcess.runModule(
        `
        import * as OpenApi from "effect/http-api/OpenApi"
        import { Api } from "@tongs/core/contract"
        console.log(JSON.stringify(OpenApi.fromApi(Api.Api)))`,
        []
      )
      assert.strictEqual(printed, JSON.stringify(OpenApi.fromApi(Api)))
    })
  )
})
