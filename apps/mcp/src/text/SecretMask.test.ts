import { assert, describe, it } from "@effect/vitest"
import * as SecretMask from "./SecretMask.ts"

const SECRET = "k9Fq2LmZx7Tv4Rb8"
const none = (text: string) => text
const inUse = (text: string) => text.replaceAll("credential-in-use", "***")

/** Texts that contain the secret, which both modes mask. */
const secrets: ReadonlyArray<string> = [
  `Authorization: Bearer ${SECRET}`,
  `authorization: token ${SECRET}`,
  `Proxy-Authorization: Basic ${SECRET}==`,
  `{"Authorization":"Bearer ${SECRET}"}`,
  `{\\"authorization\\":\\"Basic ${SECRET}\\"}`,
  `curl -H 'Authorization: token ${SECRET}' https://forge.test`,
  `Authorization: AWS4-HMAC-SHA256 Credential=${SECRET}/x, SignedHeaders=host, Signature=${SECRET}`,
  `the request sent Bearer ${SECRET}.`,
  `https://mona:${SECRET}@forge.test/a.git`,
  `https://${SECRET}@forge.test/a.git`,
  `https://${SECRET}:x-oauth-basic@forge.test`,
  `https:\\/\\/mona:${SECRET}@forge.test\\/a`,
  `postgres://mona:p@${SECRET}@db.test/x`,
  `https://files.test/a.zip?se=2026-01-01&sp=r&sv=2021&sr=b&sig=${SECRET}%3D`,
  `https://files.test/a.zip?expires=1&signature=${SECRET}`,
  `https://s3.test/a?X-Amz-Credential=${SECRET}%2F2026&X-Amz-Signature=${SECRET}`,
  `https://storage.test/a?X-Goog-Signature=${SECRET}${SECRET}`,
  `https://cdn.test/a?Policy=${SECRET}&Signature=${SECRET}&Key-Pair-Id=${SECRET}`,
  `https://files.test/a?x=1\\u0026sig=${SECRET}`,
  `<a href="https://files.test/a?x=1&amp;sig=${SECRET}">`,
  `https://forge.test/go?to=https%3A%2F%2Ffiles.test%2Fa%3Fsig%3D${SECRET}`,
  `GET /users/https%3A%2F%2Ffiles.test%2Fa%3Fsig%3D${SECRET}/repos failed`,
  `https://forge.test/a?access_token=${SECRET}&page=2`,
  `see /a/b.zip?token=${SECRET}`,
  `GET /a?page=1&token=${SECRET} failed`
]

describe("a secret", () => {
  for (const text of secrets) {
    it(`is masked: ${text}`, () => {
      for (const masked of [SecretMask.mask(text, none), SecretMask.maskContent(text, none)]) {
        assert.notInclude(masked, SECRET)
        assert.include(masked, "***")
      }
    })
  }

  it("is masked without the text around it", () => {
    const mask = (text: string) => SecretMask.mask(text, none)
    assert.strictEqual(mask(`a https://x.test/b.zip?sv=1&sig=${SECRET}, c`), "a https://x.test/b.zip?***, c")
    assert.strictEqual(mask(`(https://x.test/b?token=${SECRET}&page=2)`), "(https://x.test/b?token=***&page=2)")
    assert.strictEqual(mask("https://user:pass@x.test/hook"), "https://***@x.test/hook")
    assert.strictEqual(mask(`{"authorization":"Bearer x","accept":"y"}`), `{"authorization":"Bearer ***","accept":"y"}`)
  })

  it("is masked if it is the credential in use, also in content", () => {
    for (const mask of [SecretMask.mask, SecretMask.maskContent])
      assert.strictEqual(mask("const x = 'credential-in-use'", inUse), "const x = '***'")
  })

  it("is masked if the end of an address is missing", () => {
    assert.strictEqual(
      SecretMask.mask("https://me:secr… https://host:80… https://host.test…", none),
      "https://***@ https://host:80… https://host.test…"
    )
  })

  it("is masked in a result, which keeps its form and its files", () => {
    const file = { encoding: "base64", content: btoa("credential-in-use"), path: "credential-in-use" }
    const result = { file, list: [`https://mona:${SECRET}@x.test`, "https://user:pass@x.test", 1, null] }
    assert.deepStrictEqual(SecretMask.maskResult(result, inUse), {
      file: { ...file, path: "***" },
      list: ["https://***@x.test", "https://user:pass@x.test", 1, null]
    })
  })

  it("is masked in the text of files only if it is the credential in use", () => {
    const code = `authorization: Bearer ${SECRET}`
    const patch = { filename: code, patch: `+${code} credential-in-use` }
    const line = { number: 1, text: code, matches: [] }
    const blob = { encoding: "utf-8", content: code }
    assert.deepStrictEqual(SecretMask.maskResult({ files: [patch], line, blob, constructor: code }, inUse), {
      files: [{ filename: "authorization: Bearer ***", patch: `+${code} ***` }],
      line,
      blob,
      constructor: "authorization: Bearer ***"
    })
  })

  it("is masked in each member of a value, and in members with the name of a header", () => {
    const value = {
      request: { headers: { Authorization: "x", "Content-Type": "application/json", Cookie: ["a"] } },
      config: { url: "https://user:pass@x.test", "credential-in-use": 1 },
      deep: JSON.parse(`${"[".repeat(10_000)}"credential-in-use"${"]".repeat(10_000)}`)
    }
    const masked = SecretMask.maskValue(value, inUse)
    assert.notInclude(JSON.stringify(masked), "credential-in-use")
    assert.deepInclude(masked, {
      request: { headers: { Authorization: "***", "Content-Type": "application/json", Cookie: "***" } },
      config: { url: "https://***@x.test", "***": 1 }
    })
  })
})

describe("ordinary code", () => {
  for (const text of [
    "const url = `https://${user}:${password}@${host}/x?token=${token}`",
    "DATABASE_URL=postgres://postgres:postgres@localhost:5432/test",
    "https://user:password@example.com, https://x-access-token:$TOKEN@github.com/a/b",
    "https://example.com/?token=<token>&sig=YOUR_SIGNATURE",
    "headers: { authorization: `Bearer ${token}`, Authorization: string }",
    'curl -H "Authorization: Bearer YOUR-TOKEN" https://api.example.com',
    "fetch('/a?token=abc&page=2')",
    "if (token=== x && sig=='y') { a?b=c:d }",
    "git clone ssh://git@forge.test/a.git && git@forge.test:a/b",
    "the basic idea is that the bearer of a token has access",
    "-    readonly authorization: Authorization.Authorization | undefined"
  ]) {
    it(`stays as it is: ${text}`, () => {
      assert.strictEqual(SecretMask.maskContent(text, none), text)
    })
  }

  it("keeps the user of an address without a password, also in what a forge says", () => {
    assert.strictEqual(SecretMask.mask("ssh://git@forge.test/a.git", none), "ssh://git@forge.test/a.git")
    assert.strictEqual(
      SecretMask.mask("https://forge.test/a?page=2&per_page=3", none),
      "https://forge.test/a?page=2&per_page=3"
    )
  })

  it("is read in linear time", () => {
    for (const part of ["(/", "https://", "/a?", "authorization: ", "x:y@", "?token=", "bearer "]) {
      const text = part.repeat(20_000)
      assert.isAtLeast(SecretMask.mask(text, none).length, 3)
    }
  })
})
