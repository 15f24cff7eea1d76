import { createVerify, generateKeyPairSync } from "node:crypto"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as AppKey from "./AppKey.ts"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const pkcs1 = String(privateKey.export({ type: "pkcs1", format: "pem" }))
const pkcs8 = String(privateKey.export({ type: "pkcs8", format: "pem" }))
const long = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey

describe("AppKey", () => {
  for (const [form, pem] of [
    ["PKCS#1", pkcs1],
    ["PKCS#8", pkcs8],
    ["escaped line breaks", pkcs1.replaceAll("\n", "\\n")],
    ["Windows line breaks", pkcs1.replaceAll("\n", "\r\n")],
    ["text around it", `# the key\n${pkcs8}\n# end`]
  ] as const) {
    // pairs
    it.effect(`signs with a key: ${form}`, () =>
      Effect.gen(function* () {
        const key = yield* AppKey.parse(pem)
        const token = Redacted.value(yield* AppKey.sign(key, "Iv1.é", 1_700_000_000_500))
        assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
        const [header = "", claims = "", signature = ""] = token.split(".")
        const json = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString())
        assert.deepStrictEqual(json(header), { alg: "RS256", typ: "JWT" })
        assert.deepStrictEqual(json(claims), { iss: "Iv1.é", iat: 1_699_999_940, exp: 1_700_000_540 })
        const verify = createVerify("sha256").update(`${header}.${claims}`)
        assert.isTrue(verify.verify(publicKey, Buffer.from(signature, "base64url")))
      })
    )
  }

  it.effect("reads keys of other lengths", () =>
    Effect.forEach(["pkcs1", "pkcs8"] as const, (type) => AppKey.parse(String(long.export({ type, format: "pem" }))))
  )

  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
  const cipher = { cipher: "aes-128-cbc", passphrase: "secret" }
  for (const [name, pem, detail] of [
    ["a path", "/etc/app.pem", /not a private key in PEM format/],
    ["an empty text", "", /not a private key/],
    ["a public key", String(publicKey.export({ type: "spki", format: "pem" })), /a public key/],
    ["an EC key", String(ec.export({ type: "pkcs8", format: "pem" })), /not an RSA key/],
    ["an EC key (SEC1)", String(ec.export({ type: "sec1", format: "pem" })), /not an RSA key/],
    ["an encrypted key", String(privateKey.export({ type: "pkcs8", format: "pem", ...cipher })), /encrypted/],
    ["an encrypted PKCS#1 key", String(privateKey.export({ type: "pkcs1", format: "pem", ...cipher })), /encrypted/],
    ["a damaged key", pkcs1.replace(/\n.{30}/, "\n"), /not an RSA key/],
    ["a huge text", pkcs1.padEnd(1_000_000, "="), /not a private key/]
  ] as const) {
    // rows
    it.effect(`refuses ${name} without showing it`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(AppKey.parse(pem))
        assert.match(error.message, detail)
        if (pem.length > 100) assert.notInclude(inspect(error, { depth: 20 }), pem.slice(40, 80))
      })
    )
  }
})
