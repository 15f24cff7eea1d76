import { assert, describe, it } from "@effect/vitest"
import { isLogin, isOwnUrl, matches } from "./CloneTarget.ts"

const isOwn = (url: string, base: string) => isOwnUrl(new URL(url), new URL(base))

describe("isOwnUrl", () => {
  it("admits the forge's own origin, and the host of an API on a subdomain", () => {
    assert.isTrue(isOwn("https://git.example.com/acme/web.git", "https://git.example.com/api/v3"))
    assert.isTrue(isOwn("http://127.0.0.1:4180/acme/web.git", "http://127.0.0.1:4180"))
    assert.isTrue(isOwn("https://github.com/acme/web.git", "https://api.github.com"))
  })

  it("refuses other hosts, ports and protocols, and URLs with credentials", () => {
    for (const url of [
      "https://evil.example/acme/web.git",
      "https://git.example.com.evil.example/web.git",
      "https://git.example.com:444/web.git",
      "http://git.example.com/web.git",
      "https://user@git.example.com/web.git",
      "file:///etc/passwd",
      "ssh://git.example.com/web.git",
      "ext::sh -c touch% /tmp/x"
    ]) {
      assert.isFalse(isOwn(url, "https://git.example.com/api/v3"), url)
    }
    assert.isFalse(isOwn("http://github.com/web.git", "http://api.github.com"))
  })
})

describe("matches", () => {
  it("matches * and ? without regard to case", () => {
    const names = ["web", "web-app", "Web-API", "my-web", "lib.js"]
    const found = (pattern: string) => names.filter((name) => matches(pattern, name))
    assert.deepStrictEqual(found("web"), ["web"])
    assert.deepStrictEqual(found("web-*"), ["web-app", "Web-API"])
    assert.deepStrictEqual(found("*web*"), ["web", "web-app", "Web-API", "my-web"])
    assert.deepStrictEqual(found("web-ap?"), ["web-app", "Web-API"])
    assert.deepStrictEqual(found("*.js"), ["lib.js"])
    assert.deepStrictEqual(found("*-*p*"), ["web-app", "Web-API"])
    assert.isFalse(matches("*a*a", "a"))
  })
})

describe("isLogin", () => {
  it("admits names of folders only", () => {
    assert.deepStrictEqual(["acme", "a-b_c.d", "..", ".x", "a/b", "-x", ""].map(isLogin), [
      true,
      true,
      false,
      false,
      false,
      false,
      false
    ])
  })
})
