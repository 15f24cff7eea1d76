/**
 * The documentation page at `/docs`. The Content-Security-Policy permits only the scripts of the page, by digest, and
 * requests to this forge, so that a token typed into the page cannot leak.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import { Api } from "@tongs/core/contract/Api"

const policyOf = (html: string): string => {
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, source = ""]) => `'sha256-${createHash("sha256").update(source).digest("base64")}'`
  )
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    // The script of the page sets inline styles.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/** Creates the handler for `/docs`. The three megabytes of the page's script are loaded at the first request. */
export const make = Effect.gen(function* () {
  const page = HttpApiScalar.layer(Api, { path: "/docs", scalar: { withDefaultFonts: false } })
  const scope = yield* Effect.scope
  return yield* Effect.cached(
    HttpRouter.toHttpEffect(page).pipe(
      Effect.flatten,
      Effect.map((response) => {
        const html = response.body._tag === "Uint8Array" ? Buffer.from(response.body.body).toString() : ""
        return HttpServerResponse.setHeaders(response, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": policyOf(html),
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff"
        })
      }),
      Effect.orDie,
      Effect.provideService(Scope.Scope, scope)
    )
  )
})
