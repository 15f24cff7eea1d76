/** Health checks of a forge whose PostgreSQL server stops and starts again. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { expect, it, onTestFinished } from "vitest"
import * as TestDatabase from "@tongs/service/storage/TestDatabase.test-support"
import { serve, temporaryFolder } from "../acceptance/ForgeProcess.test-support.ts"
import { start } from "./PostgresServer.test-support.ts"

it("is not ready without its database, but lives, and is ready again with it", async () => {
  const server = await start({ isDurable: false })
  onTestFinished(server.stop)
  TestDatabase.useServer(server.url)
  onTestFinished(() => TestDatabase.useServer())
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const serving = await serve(root)
  const get = async (path: string) => {
    const response = await fetch(`${serving.url}${path}`)
    return [response.status, await response.json()]
  }
  expect(await get("/readyz")).toEqual([200, { status: "ok", failing: [] }])
  await server.kill()
  await pause(1_100)
  expect(await get("/readyz")).toEqual([503, { status: "unavailable", failing: ["database"] }])
  expect(await get("/livez")).toEqual([200, { status: "ok" }])
  await server.restart()
  await expect
    .poll(() => get("/readyz"), { timeout: 60_000, interval: 500 })
    .toEqual([200, { status: "ok", failing: [] }])
})
