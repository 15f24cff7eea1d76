/** Sends requests to `https://api.github.com` to a forge for tests, for code that takes no base URL. */
import { HttpRequestInterceptor } from "@mswjs/interceptors/http"
import type { TestForge } from "./TestForge.ts"

/** Options of `intercept`. */
export interface InterceptOptions {
  /** Origins whose requests go to the forge, by default `https://api.github.com`. */
  readonly origins?: ReadonlyArray<string> | undefined
}

/**
 * Sends requests of this process (`fetch`, `node:http`, `node:https`, `undici`) to the forge until the returned object
 * is disposed. Requests to other origins are sent unchanged.
 */
export const intercept = (
  forge: Pick<TestForge, "url">,
  { origins = ["https://api.github.com"] }: InterceptOptions = {}
): Disposable => {
  const interceptor = new HttpRequestInterceptor()
  interceptor.on("request", async ({ controller, request }) => {
    const { origin, pathname, search } = new URL(request.url)
    if (!origins.includes(origin)) return
    const hasBody = request.body !== null
    const response = await fetch(new URL(pathname + search, forge.url), {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      ...(hasBody ? { body: await request.arrayBuffer() } : {})
    })
    // The body is decoded already.
    const headers = new Headers(response.headers)
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name)
    const isEmpty = response.status === 204 || response.status === 304
    controller.respondWith(
      new Response(isEmpty ? null : await response.arrayBuffer(), { status: response.status, headers })
    )
  })
  interceptor.apply()
  return { [Symbol.dispose]: () => interceptor.dispose() }
}
