/** The responses that the pages of raw lists came from. */
import type { Page } from "../../paging/Page.ts"
import type { RawResponse } from "../RawCall.ts"

/** Responses by page, stored outside the pages, because pages of typed lists have no response. */
const responses = new WeakMap<Page<unknown>, RawResponse>()

/** Returns the response that contained a page of `paginate`. Undefined for pages of typed lists. */
export const of = (page: Page<unknown>): RawResponse | undefined => responses.get(page)

/** Records the response that contained a page. Returns the page. */
export const record = (page: Page<unknown>, response: RawResponse): Page<unknown> => {
  responses.set(page, response)
  return page
}
