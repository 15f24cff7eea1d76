import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as ClusterSettings from "./ClusterSettings.ts"
import { UserDirectories } from "./base/UserDirectories.ts"

const database = { url: Redacted.make("postgres://forge@db/forge") }

const resolve = (given: Partial<ClusterSettings.GivenCluster>) =>
  ClusterSettings.resolve({
    address: "10.0.0.5:4181",
    localData: undefined,
    cwd: "/work",
    data: "/shared",
    database,
    ...given
  }).pipe(Effect.provide(UserDirectories.layer))

it.effect("a process has an address, and a folder of its own in the data folder or elsewhere", () =>
  Effect.gen(function* () {
    const own = join("/shared", "runners", "10.0.0.5-4181")
    assert.deepStrictEqual(yield* resolve({}), { address: { host: "10.0.0.5", port: 4181 }, localData: own })
    assert.strictEqual((yield* resolve({ localData: "own" }))?.localData, "/work/own")
    assert.deepStrictEqual((yield* resolve({ address: "[fd00::5]:1" }))?.address, { host: "fd00::5", port: 1 })
    assert.isUndefined(yield* resolve({ address: undefined }))
  })
)

it.effect("settings with which no cluster can work are refused with the cause", () =>
  Effect.gen(function* () {
    const cases: ReadonlyArray<readonly [Partial<ClusterSettings.GivenCluster>, string]> = [
      [{ address: "forge1" }, "--cluster forge1 is not HOST:PORT"],
      [{ address: "http://forge1:80" }, "--cluster http://forge1:80 is not HOST:PORT"],
      [{ address: "forge1:0" }, "--cluster forge1:0 is not HOST:PORT"],
      [{ address: "forge1:99999" }, "--cluster forge1:99999 is not HOST:PORT"],
      [{ address: "0.0.0.0:4181" }, "--cluster 0.0.0.0:4181 is no address that other processes can reach"],
      [{ database: undefined }, "--cluster needs a database that all processes share"],
      [{ data: undefined }, "--cluster needs a data folder that all processes share"],
      [{ localData: "/shared" }, "--local-data is the data folder"],
      [{ address: undefined, localData: "own" }, "--local-data needs --cluster"]
    ]
    for (const [given, detail] of cases) {
      const error = yield* Effect.flip(resolve(given))
      assert.strictEqual(error.detail, detail)
    }
  })
)
