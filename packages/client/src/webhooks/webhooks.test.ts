import { createHmac } from "node:crypto"
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { InvalidDelivery, type WebhookPayload, webhooks } from "../index.ts"
import type { ParseOptions, VerifyOptions } from "./index.ts"

const SECRET = "It's a secret: 秘密"
const payload = JSON.stringify({ ref: "refs/heads/naïve", commits: [] })
const signed = (body: string | Uint8Array, key = SECRET) =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`
const signature = signed(payload)

describe("verify", () => {
  it("accepts a body as text and as bytes", async () => {
    const bytes = new TextEncoder().encode(payload)
    const larger = new Uint8Array(bytes.length + 10)
    larger.set(bytes, 5)
    for (const body of [payload, bytes, bytes.buffer, larger.subarray(5, -5), Buffer.from(payload)])
      assert.isTrue(await webhooks.verify({ secret: SECRET, payload: body, signature }))
  })

  it("accepts any of several secrets, so that one can replace another", async () => {
    assert.isTrue(await webhooks.verify({ secret: ["new", SECRET], payload, signature }))
    assert.isFalse(await webhooks.verify({ secret: ["new", "other"], payload, signature }))
  })

  it("signs as it verifies", async () => {
    assert.strictEqual(await webhooks.sign({ secret: SECRET, payload }), signature)
  })

  for (const [name, wrong] of [
    ["none", undefined],
    ["null", null],
    ["an empty one", ""],
    ["one without its prefix", signature.slice(7)],
    ["SHA-1", signature.replace("sha256", "sha1")],
    ["a shorter one", signature.slice(0, -2)],
    ["a longer one", `${signature}00`],
    ["one that is not hexadecimal", `${signature.slice(0, -1)}x`],
    ["one with another last digit", signature.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))],
    ["one of another body", signed(`${payload} `)],
    ["one of another secret", signed(payload, "other")]
  ] as const) {
    // pairs
    it(`refuses a signature: ${name}`, async () => {
      assert.isFalse(await webhooks.verify({ secret: SECRET, payload, signature: wrong }))
    })
  }

  const rejection = (options: object) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a program without types
    webhooks.verify(options as VerifyOptions).then(
      () => assert.fail("it did not reject"),
      (error: unknown) => error
    )

  it("explains a parsed body", async () => {
    for (const body of [JSON.parse(payload), undefined, null]) {
      const error = await rejection({ secret: SECRET, payload: body, signature })
      assert.instanceOf(error, TypeError)
      assert.match(error.message, /not the raw body.*before a JSON parser/)
    }
  })

  it("explains an empty secret, with which anyone could sign", async () => {
    for (const empty of ["", [], [SECRET, ""], undefined, null]) {
      const error = await rejection({ secret: empty, payload, signature: signed(payload, "") })
      assert.instanceOf(error, TypeError)
      assert.match(error.message, /`secret` is empty/)
    }
  })
})

describe("parse", () => {
  const headers = { "X-GitHub-Event": "push", "x-github-delivery": "d1", "x-hub-signature-256": signature }
  const reason = (options: Partial<ParseOptions>) =>
    webhooks.parse({ secret: SECRET, headers, payload, ...options }).then(
      () => assert.fail("it did not reject"),
      (error: unknown) => (error instanceof InvalidDelivery ? error.reason : assert.fail(String(error)))
    )

  it("returns the event with its type, from headers of fetch or of Node", async () => {
    for (const given of [headers, new Headers(headers), { ...headers, "x-github-delivery": ["d1"] }]) {
      const delivery = await webhooks.parse({ secret: SECRET, headers: given, payload })
      assert.deepStrictEqual({ ...delivery }, { id: "d1", name: "push", payload: JSON.parse(payload) })
      if (delivery.name === "push")
        expectTypeOf(delivery.payload.commits[0]?.message).toEqualTypeOf<string | undefined>()
      if (delivery.name === "issues" && delivery.payload.action === "opened")
        expectTypeOf(delivery.payload.issue.title).toEqualTypeOf<string>()
    }
    expectTypeOf<WebhookPayload<"push">["ref"]>().toEqualTypeOf<string>()
  })

  it("reads a form", async () => {
    const body = new URLSearchParams({ payload }).toString()
    const delivery = await webhooks.parse({
      secret: SECRET,
      headers: { ...headers, "x-hub-signature-256": signed(body) },
      payload: body
    })
    assert.deepStrictEqual(delivery.payload, JSON.parse(payload))
  })

  it("rejects an invalid delivery", async () => {
    assert.strictEqual(await reason({ secret: "other" }), "signature")
    assert.strictEqual(await reason({ headers: {} }), "signature")
    assert.strictEqual(await reason({ headers: { "x-hub-signature-256": signature } }), "event")
    const text = "not JSON"
    assert.strictEqual(
      await reason({ headers: { ...headers, "x-hub-signature-256": signed(text) }, payload: text }),
      "payload"
    )
  })
})
