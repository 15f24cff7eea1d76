import { generateKeyPairSync } from "node:crypto"
import { inspect } from "node:util"
import { assert, describe, it, vi } from "@effect/vitest"
import { app, type Auth, BadCredentials, createForge, deviceFlow, type SignIn } from "../index.ts"

const BASE_URL = "https://forge.test/api/v3"
const pem = String(
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" })
)

interface Sent {
  readonly path: string
  readonly authorization: string
  readonly body: string
}

/** A client of a forge that accepts the tokens that `isValid` accepts; `reply` answers all other paths than `/user`. */
const forgeWith = (
  auth: Auth,
  {
    isValid = () => true,
    reply = () => ({})
  }: Partial<{
    readonly isValid: (token: string) => boolean
    readonly reply: (path: string, count: number) => object
  }> = {}
) => {
  const sent: Array<Sent> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const path = new URL(request.url).pathname.replace("/api/v3", "")
    const authorization = request.headers.get("authorization") ?? ""
    sent.push({ path, authorization, body: await request.text() })
    if (path === "/user")
      return isValid(authorization.replace("Bearer ", ""))
        ? Response.json({})
        : Response.json({ message: "Bad credentials" }, { status: 401 })
    return Response.json(reply(path, sent.filter((one) => one.path === path).length), { status: 201 })
  }
  const warnings: Array<string> = []
  const forge = createForge({ baseUrl: BASE_URL, auth, fetch, log: (message) => warnings.push(message) })
  return {
    forge,
    sent,
    warnings,
    tokens: () => sent.filter(({ path }) => path === "/user").map(({ authorization }) => authorization)
  }
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  )

describe("a function as auth", () => {
  it("is called once for concurrent requests, and again when the forge rejects its token", async () => {
    let count = 0
    const { forge, tokens } = forgeWith(async () => `t${++count}`, { isValid: (token) => token !== "t1" })
    await Promise.all([forge.request("GET /user"), forge.request("GET /user", { a: 1 })])
    await forge.request("GET /user", { b: 1 })
    assert.strictEqual(count, 2)
    assert.strictEqual(tokens().at(-1), "Bearer t2")
    await forge.close()
  })

  it("is called again before its token expires", async () => {
    let count = 0
    const { forge, tokens } = forgeWith(() => ({
      token: `t${++count}`,
      expiresAt: new Date(Date.now() + count * 5_000)
    }))
    await forge.request("GET /user", { a: 1 })
    await forge.request("GET /user", { a: 2 })
    assert.deepStrictEqual(tokens(), ["Bearer t1", "Bearer t2"])
    await forge.close()
  })

  it("rejects calls with its error as the cause, and is called again by the next call", async () => {
    let isDown = true
    const cause = new Error("the vault is sealed")
    const { forge, sent } = forgeWith(() => {
      if (isDown) throw cause
      return "t1"
    })
    const error = await rejection(forge.request("GET /user"))
    assert.instanceOf(error, BadCredentials)
    assert.match(error.message, /The function that returns the token failed: the vault is sealed\.$/)
    assert.strictEqual(error.cause, cause)
    assert.strictEqual(sent.length, 0)
    isDown = false
    await forge.request("GET /user")
    await forge.close()
  })

  it("rejects calls if it returns no token", async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a program without types
    const { forge } = forgeWith((() => undefined) as unknown as () => string)
    assert.match(String(await rejection(forge.request("GET /user"))), /failed: it returned no token/)
    await forge.close()
  })

  it("refuses another value immediately", () => {
    assert.throws(() => createForge({ baseUrl: BASE_URL, auth: { kind: "app" } }), TypeError, /Invalid `auth`/)
  })
})

describe("an app as auth", () => {
  it("gets the token of its installation, for some repositories, and never shows a secret", async () => {
    const auth = app({
      appId: 12,
      privateKey: pem,
      installation: 7,
      repositories: ["hello"],
      permissions: { contents: "read" }
    })
    const { forge, sent } = forgeWith(auth, {
      reply: () => ({ token: "canary", expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    })
    await forge.request("GET /user")
    const [issued, used] = sent
    assert.strictEqual(issued?.path, "/app/installations/7/access_tokens")
    assert.match(issued?.authorization ?? "", /^Bearer ey[\w-]+\.[\w-]+\.[\w-]+$/)
    assert.deepStrictEqual(JSON.parse(issued?.body ?? ""), {
      repositories: ["hello"],
      permissions: { contents: "read" }
    })
    assert.strictEqual(used?.authorization, "Bearer canary")
    assert.notMatch(inspect([auth, forge], { depth: 9, showHidden: true }), /canary|PRIVATE KEY/)
    await forge.close()
  })

  it("signs requests as the app itself without an installation", async () => {
    const { forge, tokens } = forgeWith(app({ appId: "Iv1.abc", privateKey: pem }))
    await forge.request("GET /user")
    const [, claims = ""] = (tokens()[0] ?? "").split(".")
    assert.include(Buffer.from(claims, "base64url").toString(), `"iss":"Iv1.abc"`)
    await forge.close()
  })

  it("rejects calls with an invalid key, and sends nothing", async () => {
    const { forge, sent } = forgeWith(app({ appId: 12, privateKey: "/etc/app.pem", installation: 7 }))
    const error = await rejection(forge.request("GET /user"))
    assert.instanceOf(error, BadCredentials)
    assert.match(error.message, /the key of app 12: not a private key in PEM format\.$/)
    assert.strictEqual(sent.length, 0)
    await forge.close()
  })
})

describe("the device flow as auth", () => {
  const code = {
    device_code: "device",
    user_code: "WDJB-MJHT",
    verification_uri: "https://forge.test/login/device",
    expires_in: 900,
    interval: 1
  }
  const tokens = { access_token: "t1", expires_in: 28_800, refresh_token: "r1", refresh_token_expires_in: 60_000 }

  /** Answers polls with `answers` in turn. */
  const site =
    (...answers: ReadonlyArray<object>) =>
    (path: string, count: number) =>
      path === "/login/device/code" ? code : (answers[count - 1] ?? answers.at(-1) ?? {})

  it("shows the code, waits for the user, and stores the sign-in", async () => {
    const shown: Array<unknown> = []
    const stored: Array<SignIn> = []
    const storage = { read: () => undefined, write: (signIn: SignIn) => void stored.push(signIn) }
    const { forge, sent } = forgeWith(
      deviceFlow({ clientId: "Iv1.abc", onCode: (one) => void shown.push(one), storage }),
      { reply: site({ error: "authorization_pending" }, tokens) }
    )
    await forge.request("GET /user")
    assert.deepInclude(shown[0], { userCode: "WDJB-MJHT", verificationUrl: code.verification_uri })
    assert.strictEqual(sent.at(-1)?.authorization, "Bearer t1")
    assert.deepInclude(stored[0], { token: "t1" })
    assert.strictEqual(stored[0]?.refresh?.token, "r1")
    await forge.close()

    const onCode = vi.fn()
    const later = forgeWith(
      deviceFlow({ clientId: "Iv1.abc", onCode, storage: { ...storage, read: () => stored[0] } }),
      {
        isValid: (token) => token === "t2",
        reply: site({ ...tokens, access_token: "t2", refresh_token: "r2" })
      }
    )
    await later.forge.request("GET /user")
    assert.strictEqual(onCode.mock.calls.length, 0)
    assert.include(later.sent[1]?.body, "refresh_token=r1")
    assert.strictEqual(stored[1]?.refresh?.token, "r2")
    await later.forge.close()
  })

  it("rejects calls when the user declines, and works without its storage", async () => {
    const storage = {
      read: () => {
        throw new Error("no disk")
      },
      write: () => {}
    }
    const { forge, warnings } = forgeWith(deviceFlow({ clientId: "Iv1.abc", onCode: () => {}, storage }), {
      reply: site({ error: "access_denied" })
    })
    const error = await rejection(forge.request("GET /user"))
    assert.instanceOf(error, BadCredentials)
    assert.match(error.message, /The sign-in was declined in the browser\.$/)
    assert.deepStrictEqual(warnings, ["tongs: storage.read failed: no disk"])
    await forge.close()
  })
})
