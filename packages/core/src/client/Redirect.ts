/**
 * Step: redirects. They are followed up to a bound, and a credential never goes to another origin
 * (nor comes back to the first after a hop through another).
 */
import * as HttpClient from "effect/http/HttpClient"

/** Hops of one request; the redirect after them is the answer. */
const maxRedirects = 5

export const make = HttpClient.followRedirects(maxRedirects)
