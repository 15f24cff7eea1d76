import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createForge, type ForgeOptions, RateLimited } from "../index.ts"
import { environment } from "./environment.ts"
import { redis, type RedisClient } from "./redis.ts"
import { sqlite } from "./sqlite.ts"

let home = ""

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tongs-client-"))
  vi.stubEnv("HOME", home)
  for (const name of ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"])
    vi.stubEnv(name, undefined)
  for (const name of ["TONGS_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "TONGS_PROFILE"]) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

/** A client whose forge answers with an exhausted window of 2 requests. */
const stubbed = (options: Partial<ForgeOptions>) => {
  const authorizations: Array<string | null> = []
  const warnings: Array<string> = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    authorizations.push(new Headers(init?.headers).get("authorization"))
    const reset = String(Math.ceil(Date.now() / 1000) + 1800)
    return Response.json(
      {},
      { headers: { "x-ratelimit-limit": "2", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset } }
    )
  }
  const log = (message: string) => void warnings.push(message)
  return {
    authorizations,
    warnings,
    forge: createForge({ baseUrl: "https://forge.test/api/v3", fetch, log, ...options })
  }
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  )

describe("environment", () => {
  it("uses the token of a variable", async () => {
    vi.stubEnv("TONGS_TOKEN", "t1")
    const { authorizations, forge } = stubbed({ auth: environment() })
    await forge.request("GET /user")
    assert.deepStrictEqual(authorizations, ["Bearer t1"])
    await forge.close()
  })

  it("uses GITHUB_TOKEN for GitHub only", async () => {
    vi.stubEnv("GITHUB_TOKEN", "t1")
    const one = stubbed({ auth: environment(), dialect: "github" })
    await one.forge.request("GET /user")
    assert.deepStrictEqual(one.authorizations, ["Bearer t1"])
    await one.forge.close()
    const other = stubbed({ auth: environment() })
    await other.forge.request("GET /user")
    assert.deepStrictEqual(other.authorizations, [null])
    assert.deepStrictEqual(other.warnings, ["tongs: No credential for forge.test in the environment"])
    await other.forge.close()
  })

  it("uses what `tongs auth login` stored, and renews it", async () => {
    mkdirSync(join(home, ".config/tongs"), { recursive: true })
    const refresh = { token: "r1", clientId: "Iv1.abc", signIn: "one" }
    const hosts = { "forge.test": { token: "t1", expiresAt: Date.now() + 1_000, refresh } }
    writeFileSync(join(home, ".config/tongs/credentials.json"), JSON.stringify({ hosts }))
    const authorizations: Array<string | null> = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      if (request.url.endsWith("/login/oauth/access_token"))
        return Response.json({ access_token: "t2", expires_in: 28_800, refresh_token: "r2" })
      authorizations.push(request.headers.get("authorization"))
      return Response.json({})
    }
    const { forge } = stubbed({ auth: environment(), fetch })
    await forge.request("GET /user")
    assert.deepStrictEqual(authorizations, ["Bearer t2"])
    await forge.close()
  })

  it("fails calls with what is wrong with the settings", async () => {
    mkdirSync(join(home, ".config/tongs"), { recursive: true })
    writeFileSync(join(home, ".config/tongs/config.json"), "{")
    const { authorizations, forge } = stubbed({ auth: environment() })
    assert.match(String(await rejection(forge.request("GET /user"))), /BadCredentials: .*config\.json: invalid JSON/)
    assert.deepStrictEqual(authorizations, [])
    await forge.close()
  })
})

describe("a shared limitsStore", () => {
  it("sqlite: a second client knows that the budget is used up", async () => {
    const limitsStore = sqlite({ file: join(home, "limits.sqlite") })
    const one = stubbed({ auth: "t1", limitsStore })
    await one.forge.request("GET /user")
    const other = stubbed({ auth: "t1", limitsStore })
    assert.instanceOf(await rejection(other.forge.request("GET /user")), RateLimited)
    assert.strictEqual(other.authorizations.length, 0)
    await one.forge.close()
    await other.forge.close()
  })

  it("redis: runs scripts by a client of `redis` or `ioredis`, and continues without a server", async () => {
    const commands: Array<string> = []
    const reply = async (command: string) => {
      commands.push(command)
      if (command === "TIME") return [String(Math.floor(Date.now() / 1000)), "0"]
      return command === "SCRIPT" ? "sha" : []
    }
    const clients: ReadonlyArray<RedisClient> = [
      { sendCommand: ([command = ""]) => reply(command) },
      { call: (command) => reply(command) }
    ]
    for (const client of clients) {
      const { forge, warnings } = stubbed({ auth: "t1", limitsStore: redis(client) })
      await forge.request("GET /user")
      assert.includeMembers(commands.splice(0), ["TIME", "EVALSHA"])
      assert.deepStrictEqual(warnings, [])
      await forge.close()
    }
    const { authorizations, forge, warnings } = stubbed({
      auth: "t1",
      limitsStore: redis("redis://user:canary@127.0.0.1:9")
    })
    await forge.request("GET /user")
    assert.strictEqual(authorizations.length, 1)
    assert.match(warnings[0] ?? "", /Cannot use the shared rate-limit budget: redis:\/\/127\.0\.0\.1:9: .*ECONNREFUSED/)
    assert.notInclude(warnings.join(), "canary")
    await forge.close()
  })

  it("refuses another value immediately", () => {
    assert.throws(() => stubbed({ limitsStore: { kind: "sqlite" } }), TypeError, /Invalid `limitsStore`/)
    assert.throws(() => redis("not a URL"), TypeError)
  })
})
