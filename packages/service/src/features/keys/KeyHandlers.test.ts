import { execFileSync, spawnSync } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it as plain, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as SshKey from "../../verification/SshKey.ts"
import { string } from "../../verification/SshEncoding.ts"

const { TestForge } = Support

/** Generates a public key and the fingerprint with `ssh-keygen`. */
const keygen = (...options: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-key-"))
  const file = join(folder, "key")
  try {
    execFileSync("ssh-keygen", ["-q", "-N", "", "-C", "laptop of mine", "-f", file, ...options])
    const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-l", "-f", file]).toString().split(" ")
    return { line: readFileSync(`${file}.pub`, "utf8"), fingerprint }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hasKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined

const blobOf = (...parts: ReadonlyArray<Buffer | string>) => Buffer.concat(parts.map(string))
const lineOf = (algorithm: string, ...parts: ReadonlyArray<Buffer | string>) =>
  `${algorithm} ${blobOf(algorithm, ...parts).toString("base64")}`

/** An RSA key of 3,072 bits, all 1 except for the last byte. */
const rsaOf = (exponent: Buffer, last = 0xff) =>
  lineOf("ssh-rsa", exponent, Buffer.concat([Buffer.from([0]), Buffer.alloc(383, 0xff), Buffer.from([last])]))

const ed25519 = { line: `${lineOf("ssh-ed25519", Buffer.alloc(32, 42))} laptop of mine\n` }
const [algorithm = "", base64 = ""] = ed25519.line.split(" ")

describe("a public SSH key", () => {
  plain.skipIf(!hasKeygen).each([
    ["ed25519", ["-t", "ed25519"]],
    ["rsa", ["-t", "rsa", "-b", "2048"]],
    ["nistp256", ["-t", "ecdsa", "-b", "256"]],
    ["nistp384", ["-t", "ecdsa", "-b", "384"]],
    ["nistp521", ["-t", "ecdsa", "-b", "521"]]
  ])("is parsed from ssh-keygen: %s", (_, options) => {
    const { fingerprint, line } = keygen(...options)
    const key = Result.getOrThrow(SshKey.parse(line))
    assert.strictEqual(key.fingerprint, fingerprint)
    assert.strictEqual(key.text, line.split(" ").slice(0, 2).join(" "))
    assert.strictEqual(key.comment, "laptop of mine")
  })

  plain("of a hardware token is read", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
    const { x = "", y = "" } = publicKey.export({ format: "jwk" })
    const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")])
    const line = lineOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", point, "ssh:")
    assert.strictEqual(Result.getOrThrow(SshKey.parse(line)).application, "ssh:")
    assert.isTrue(Result.isSuccess(SshKey.parse(lineOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 9), "ssh:"))))
  })

  plain.each([
    ["nothing", ""],
    ["no base64", "ssh-ed25519 !!!"],
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----"],
    ["two lines", `${ed25519.line.trim()}\n${ed25519.line.trim()}`],
    ["an algorithm that is not the blob's", `ssh-rsa ${base64}`],
    ["a key that breaks off", `ssh-ed25519 ${base64.slice(0, 40)}`],
    ["more after the key", lineOf("ssh-ed25519", Buffer.alloc(32, 9), "more")],
    ["DSA", lineOf("ssh-dss", Buffer.alloc(128, 1))],
    ["a short Ed25519 key", lineOf("ssh-ed25519", Buffer.alloc(31, 9))],
    [
      "RSA of 1024 bits",
      lineOf("ssh-rsa", Buffer.from([1, 0, 1]), Buffer.concat([Buffer.from([0]), Buffer.alloc(128, 0xff)]))
    ],
    ["RSA of 1 Mbit", lineOf("ssh-rsa", Buffer.from([1, 0, 1]), Buffer.alloc(10_000, 0x7f))],
    ["RSA with an exponent of 3,064 bits", rsaOf(Buffer.alloc(383, 0x7f))],
    ["RSA with the exponent 1", rsaOf(Buffer.from([1]))],
    ["RSA with an even exponent", rsaOf(Buffer.from([1, 0, 0]))],
    ["RSA with an even modulus", rsaOf(Buffer.from([1, 0, 1]), 0xfe)],
    [
      "a point not on the curve",
      lineOf("ecdsa-sha2-nistp256", "nistp256", Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]))
    ],
    ["another curve", lineOf("ecdsa-sha2-nistp256", "nistp384", Buffer.alloc(97, 4))]
  ])("is rejected: %s", (_, line) => {
    assert.isTrue(Result.isFailure(SshKey.parse(line)))
  })
})

plain("a hostile line with a key takes no longer than another of its length", () => {
  const time = (line: string) => {
    const from = performance.now()
    for (let times = 0; times < 20; times++) assert.isTrue(Result.isFailure(SshKey.parse(line)))
    return performance.now() - from
  }
  const length = 16_000
  const harmless = time(`ssh-ed25519 ${"A".repeat(length)}`)
  // Quadratic time would take at least five seconds.
  assert.isBelow(time(`a b${" ".repeat(length)}\nx`), 1_000 + 20 * harmless)
  assert.isBelow(time(`ssh-ed25519 AAAA${"=".repeat(length)}x`), 1_000 + 20 * harmless)
})

const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

layer(forge)("keys over HTTP", (it) => {
  const accounts = {
    users: [{ login: "olga" }, { login: "mia" }],
    organizations: [{ login: "acme" }],
    tokens: [
      { token: "olga", user: "olga", scopes: ["admin:public_key"] },
      { token: "mia", user: "mia", scopes: ["admin:public_key"] },
      { token: "reader", user: "olga", scopes: ["read:public_key"] },
      { token: "writer", user: "olga", scopes: ["write:public_key"] },
      { token: "fine", user: "olga", kind: "fine_grained", permissions: { git_ssh_keys: "read" } }
    ],
    keys: [
      {
        user: "mia",
        key: lineOf("ssh-ed25519", Buffer.alloc(32, 7)),
        title: "unproved",
        verified: false,
        read_only: true
      }
    ]
  }
  const fill = Effect.gen(function* () {
    const { repos } = yield* TestForge
    const file = join(repos, "fixtures.json")
    writeFileSync(file, JSON.stringify(accounts))
    yield* Fixtures.load(file)
  })

  it.effect("are added, read, listed and removed", () =>
    Effect.gen(function* () {
      yield* fill
      const { ask, get } = yield* TestForge
      const made = yield* ask("POST", "/user/keys", { token: "writer", body: { title: "laptop", key: ed25519.line } })
      assert.strictEqual(made.status, 201)
      const { id } = made.json
      assert.deepInclude(made.json, {
        key: `${algorithm} ${base64}`,
        url: `http://forge.localhost/user/keys/${id}`,
        title: "laptop",
        verified: true,
        read_only: false
      })
      assert.deepStrictEqual((yield* get(`/user/keys/${id}`, { token: "reader" })).json, made.json)
      assert.deepStrictEqual((yield* get("/user/keys", { token: "fine" })).json, [made.json])
      assert.deepStrictEqual((yield* get("/users/OLGA/keys", { token: null })).json, [{ id, key: made.json.key }])

      const again = yield* ask("POST", "/user/keys", {
        token: "mia",
        body: { key: `${algorithm} ${base64} other comment` }
      })
      assert.strictEqual(again.status, 422)
      assert.strictEqual(again.json.errors[0].message, "key is already in use")

      assert.strictEqual((yield* get(`/user/keys/${id}`, { token: "mia" })).status, 404)
      assert.strictEqual((yield* ask("DELETE", `/user/keys/${id}`, { token: "mia" })).status, 404)
      assert.strictEqual((yield* ask("DELETE", `/user/keys/${id}`, { token: "writer" })).status, 403)
      assert.strictEqual((yield* ask("DELETE", `/user/keys/${id}`, { token: "olga" })).status, 204)
      assert.strictEqual((yield* ask("DELETE", `/user/keys/${id}`, { token: "olga" })).status, 404)
      const after = yield* ask("POST", "/user/keys", { token: "mia", body: { key: ed25519.line } })
      assert.deepStrictEqual([after.status, after.json.title], [201, "laptop of mine"])
      assert.strictEqual((yield* ask("DELETE", `/user/keys/${after.json.id}`, { token: "mia" })).status, 204)
    })
  )

  it.effect("are visible only to the owner until verified", () =>
    Effect.gen(function* () {
      yield* fill
      const { get } = yield* TestForge
      const mine = yield* get("/user/keys", { token: "mia" })
      assert.deepInclude(mine.json[0], { title: "unproved", verified: false, read_only: true })
      assert.deepStrictEqual((yield* get("/users/mia/keys", { token: null })).json, [])
    })
  )

  it.effect("are listed in pages", () =>
    Effect.gen(function* () {
      yield* fill
      const { ask, get } = yield* TestForge
      for (const byte of [1, 2, 3]) {
        const key = lineOf("ssh-ed25519", Buffer.alloc(32, byte))
        assert.strictEqual((yield* ask("POST", "/user/keys", { token: "olga", body: { key } })).status, 201)
      }
      const page = yield* get("/user/keys?per_page=2", { token: "olga" })
      assert.lengthOf(page.json, 2)
      assert.include(page.headers["link"], 'rel="last"')
      const last = yield* get("/users/olga/keys?per_page=2&page=2", { token: null })
      assert.lengthOf(last.json, 1)
    })
  )

  it.effect("are rejected with the reason if invalid", () =>
    Effect.gen(function* () {
      yield* fill
      const { ask, get } = yield* TestForge
      const post = (body: unknown, token: string | null = "olga") => ask("POST", "/user/keys", { token, body })
      const short = yield* post({ key: "ssh-rsa AAAA" })
      assert.strictEqual(short.status, 422)
      assert.deepInclude(short.json.errors[0], { resource: "PublicKey", field: "key", code: "custom" })
      assert.strictEqual((yield* post({ title: "x" })).status, 422)
      assert.strictEqual((yield* post({ key: 5 })).status, 422)
      assert.strictEqual(
        (yield* post({ key: lineOf("ssh-ed25519", Buffer.alloc(32, 5)), title: "x".repeat(256) })).status,
        422
      )
      assert.strictEqual((yield* post({ key: ed25519.line }, "reader")).status, 403)
      assert.strictEqual((yield* post({ key: ed25519.line }, "fine")).status, 403)
      assert.strictEqual((yield* post({ key: ed25519.line }, null)).status, 401)
      assert.strictEqual((yield* get("/users/nobody/keys")).status, 404)
      assert.strictEqual((yield* get("/user/keys/999999", { token: "olga" })).status, 404)
      assert.strictEqual((yield* get("/user/keys/abc", { token: "olga" })).status, 404)
      assert.strictEqual((yield* get("/user/keys", { token: null })).status, 401)
    })
  )

  it.effect("are validated in fixtures", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const file = join(repos, "wrong.json")
      const apiError = (row: object) =>
        Effect.suspend(() => {
          writeFileSync(file, JSON.stringify({ users: [{ login: "olga" }, { login: "eve" }], keys: [row] }))
          return Effect.map(Effect.flip(Fixtures.load(file)), (error) => error.message)
        })
      assert.include(yield* apiError({ user: "olga", key: "ssh-rsa AAAA" }), "keys[0].key: ")
      assert.include(yield* apiError({ user: "olga", armored_public_key: "x" }), "keys[0].armored_public_key: ")
      assert.include(yield* apiError({ user: "eve", key: accounts.keys[0]?.key }), "already used by another account")
      assert.include(yield* apiError({ user: "nobody", key: ed25519.line }), "keys[0].user: ")
    })
  )
})
