/** The built core: a self-contained Promise client, and modules that share the program's Effect. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "@tongs/core/contract/Api"
import * as PagedBranchServer from "./PagedBranchServer.test-support.ts"
import * as ModuleProcess from "./ModuleProcess.test-support.ts"

const packages = join(import.meta.dirname, "../../../packages")
const dist = join(packages, "core/dist")
const client = join(packages, "client/dist")

const newest = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, { name, parentPath }) => Math.max(newest, statSync(join(parentPath, name)).mtimeMs), 0)

/** True if the builds are newer than all sources. */
const isBuilt = () => {
  const built = [join(dist, "index.js"), join(client, "index.js")]
  if (!built.every(existsSync)) return false
  const changed = Math.max(newest(join(packages, "core/src")), newest(join(packages, "client/src")))
  return built.every((file) => statSync(file).mtimeMs > changed)
}

describe.skipIf(!isBuilt())("the built core", () => {
  it("has a self-contained Promise client in few files, apart from those only for Node", () => {
    const imports = [
      ...readFileSync(join(client, "index.js"), "utf8").matchAll(/^(?:import|export)\b[^"]*"([^"]+)"/gm)
    ].map(([, name]) => name)
    for (const name of imports) assert.match(name ?? "", /^\.\/chunks\//)
    const chunks = readdirSync(join(client, "chunks")).filter((name) => !name.startsWith("node-"))
    assert.isBelow(chunks.length, 15)
  })

  it("loads the contract and its catalog only on use", () => {
    const files = new Set([join(dist, "index.js")])
    for (const file of files) {
      for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export) .*?"(\.[^"]+)"/gm)) {
        files.add(join(file, "..", name))
      }
    }
    const names = [...files].map((file) => basename(file).replace(/-[\w-]{8}\.js$/, ""))
    assert.include(names, "client")
    for (const name of ["catalog", "contract"]) assert.notInclude(names, name)
  })

  it.live("works when it is installed as a package", () =>
    Effect.gen(function* () {
      const server = yield* PagedBranchServer.make(2)
      const printed = yield* ModuleProcess.runModule(
        `
        import { createForge, NotFound, UnexpectedResponse } from "@tongs/client"
        await using forge = createForge({ baseUrl: "${server.baseUrl}", auth: "t" })
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
