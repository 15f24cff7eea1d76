import { assert, it } from "@effect/vitest"
import * as HookUrl from "./HookUrl.ts"

it("masks the password of a URL, or the user name without one", () => {
  for (const [url, masked] of [
    ["https://ada:s3cret@example.org/x?y=a@b", "https://ada:********@example.org/x?y=a@b"],
    ["https://s3cret@example.org/", "https://********@example.org/"],
    ["https://s3cret:@example.org/", "https://********@example.org/"],
    ["http://:s3cret@127.0.0.1:80", "http://:********@127.0.0.1:80"],
    ["https://a:s3@cret@example.org/", "https://a:********@example.org/"],
    ["https:\\\\ada:s3cret@example.org/", "https:\\\\ada:********@example.org/"],
    ["HTTPS:ada:s3cret@example.org/", "HTTPS:ada:********@example.org/"],
    ["https://example.org/@user", "https://example.org/@user"]
  ] as const) {
    assert.strictEqual(HookUrl.mask(url), masked)
    assert.isFalse(URL.parse(HookUrl.mask(url))?.href.includes("cret") === true && masked.includes("*"), url)
  }
})

it("keeps a masked password for the same host and user only", () => {
  const current = "https://ada:s3cret@example.org/x"
  assert.strictEqual(HookUrl.unmask("https://ada:********@example.org/y", current), "https://ada:s3cret@example.org/y")
  assert.strictEqual(HookUrl.unmask("https://ada:new@example.com/", current), "https://ada:new@example.com/")
  for (const url of [
    "https://ada:********@example.com/x",
    "https://eve:********@example.org/x",
    "http://ada:********@example.org/x",
    "https://ada:********@example.org:8443/x"
  ]) {
    assert.isUndefined(HookUrl.unmask(url, current), url)
  }
  assert.isUndefined(HookUrl.unmask("https://ada:********@example.org/x", undefined))
  assert.strictEqual(HookUrl.unmask("https://********@a.org/", "https://t0ken@a.org/"), "https://t0ken@a.org/")
})
