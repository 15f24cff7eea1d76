import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { directories, UserDirectories, type Variables } from "./UserDirectories.ts"

const unset: Variables = {
  home: "/home/mona",
  configHome: undefined,
  dataHome: undefined,
  cacheHome: undefined,
  stateHome: undefined,
  appData: undefined,
  localAppData: undefined
}

it("follows XDG on Linux", () => {
  assert.deepStrictEqual(directories("linux", unset), {
    config: "/home/mona/.config/tongs",
    data: "/home/mona/.local/share/tongs",
    cache: "/home/mona/.cache/tongs",
    state: "/home/mona/.local/state/tongs"
  })
  assert.strictEqual(directories("linux", { ...unset, dataHome: "/srv/data" }).data, "/srv/data/tongs")
})

it("ignores a relative XDG variable", () => {
  assert.strictEqual(directories("linux", { ...unset, dataHome: "data" }).data, "/home/mona/.local/share/tongs")
})

it("uses the Library on macOS", () => {
  const { cache, config } = directories("darwin", { ...unset, home: "/Users/mona" })
  assert.strictEqual(config, "/Users/mona/Library/Application Support/tongs")
  assert.strictEqual(cache, "/Users/mona/Library/Caches/tongs")
})

it("puts settings into the roaming folder and data into the local one on Windows", () => {
  const windows = { ...unset, home: "C:\\Users\\mona", localAppData: "D:\\Local" }
  assert.deepStrictEqual(directories("win32", windows), {
    config: "C:\\Users\\mona\\AppData\\Roaming\\tongs",
    data: "D:\\Local\\tongs",
    cache: "D:\\Local\\tongs",
    state: "D:\\Local\\tongs"
  })
})

it.effect("reads the environment and ignores empty variables", () =>
  Effect.gen(function* () {
    const { config, data } = yield* UserDirectories
    assert.match(config, /mona/)
    assert.strictEqual(data, "/srv/data/tongs")
  }).pipe(
    Effect.provide(UserDirectories.layer),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: { HOME: "/home/mona", XDG_CONFIG_HOME: "", XDG_DATA_HOME: "/srv/data" } })
    )
  )
)
