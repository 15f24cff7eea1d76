/** Sends the request of `tongs api`, and returns the responses: one, or one for each page. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import * as PageResponse from "@tongs/core/client/responses/PageResponse"
import type { RawResponse } from "@tongs/core/client/RawCall"
import type * as Failure from "@tongs/core/contract/Failure"
import * as InteractiveRequest from "../../session/InteractiveRequest.ts"
import * as Progress from "../../session/Progress.ts"
import * as ApiRequest from "./ApiRequest.ts"

/** Sends a request when the stream is read. With `isPaged`, follows the pages of the list. */
export const send = (
  request: ApiRequest.ApiRequest,
  isPaged: boolean
): Stream.Stream<RawResponse, Failure.Failure, Forge> =>
  !isPaged
    ? Stream.fromEffect(sendOne(request))
    : request.graphQl === undefined
      ? pages(request)
      : Stream.paginate(request, (request) =>
          Effect.map(sendOne(request), (response) => {
            const cursor = endCursor(response.data)
            const isEnd = cursor === undefined || cursor === request.graphQl?.["endCursor"]
            const next = isEnd ? Option.none() : Option.some(ApiRequest.after(request, cursor))
            return [[response], next] as const // a pair
          })
        )

const formOf = ({ body, headers, mediaType }: ApiRequest.ApiRequest) => ({
  headers,
  ...(mediaType === undefined ? {} : { mediaType }),
  ...(body === undefined ? {} : { body })
})

const sendOne = Effect.fnUntraced(function* (request: ApiRequest.ApiRequest) {
  const forge = yield* Forge
  const options = { ...(yield* InteractiveRequest.interactive), ...formOf(request) }
  return yield* forge.request(`${request.method} ${request.path}`, request.input, options)
})

const pages = (request: ApiRequest.ApiRequest) =>
  Stream.unwrap(
    Effect.map(Forge, (forge) => {
      const { concurrency } = Progress.listOptions
      const options = { ...formOf(request), concurrency }
      const list = forge.paginate(`${request.method} ${request.path}`, request.input, options)
      return Stream.flatMap(list.pages, (page) => {
        const response = PageResponse.of(page)
        return response === undefined ? Stream.empty : Stream.succeed(response)
      })
    })
  )

/** Returns the cursor of the first `pageInfo` in the result of a query that has a next page. */
const endCursor = (data: unknown): string | undefined => {
  if (typeof data !== "object" || data === null) return undefined
  if ("pageInfo" in data && typeof data.pageInfo === "object" && data.pageInfo !== null) {
    const info: { readonly hasNextPage?: unknown; readonly endCursor?: unknown } = data.pageInfo
    return info.hasNextPage === true && typeof info.endCursor === "string" ? info.endCursor : undefined
  }
  for (const member of Object.values(data)) {
    const found = endCursor(member)
    if (found !== undefined) return found
  }
  return undefined
}
