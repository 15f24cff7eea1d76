/** A client whose results pass through a function, for example one that masks secrets. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Page } from "../paging/Page.ts"
import type { Pages } from "../paging/Pages.ts"
import * as CatalogEndpoint from "./CatalogEndpoint.ts"
import type { Client } from "./Client.ts"
import * as Engine from "./Engine.ts"
import * as GroupMethods from "./GroupMethods.ts"

/**
 * Creates a client that applies `change` to each result, item of a list and event. `change` must keep the form of a
 * value. Failures, files and downloads stay unchanged.
 */
export const make = (client: Client, change: <A>(result: A) => A): Client => {
  const changePage = <A>(page: Page<A>): Page<A> => ({ ...page, items: page.items.map((item) => change(item)) })
  const changePages = <A, E>({ first, items, pages }: Pages<A, E>): Pages<A, E> => ({
    first: Effect.map(first, changePage),
    items: Stream.map(items, (item) => change(item)),
    pages: Stream.map(pages, changePage)
  })
  const engine: Engine.Engine = {
    scope: client.scope,
    mask: client.mask,
    grantedScopes: client.grantedScopes,
    call: (...args) =>
      Effect.map(client.call(...args), (result) => (result instanceof Uint8Array ? result : change(result))),
    list: (...args) => changePages(client.list(...args)),
    stream: (...args) => Stream.map(client.stream(...args), (event) => change(event)),
    request: (...args) =>
      Effect.map(client.request(...args), (response) => ({
        ...response,
        text: change(response.text),
        data: change(response.data)
      })),
    paginate: (...args) => changePages(client.paginate(...args)),
    download: client.download
  }
  const methods: Engine.Engine & Pick<Client, "baseUrl"> = { ...engine, baseUrl: client.baseUrl }
  const mapped: object = GroupMethods.defineGroups(methods, CatalogEndpoint.methods, Engine.methodOf(engine))
  return mapped as Client // oxlint-disable-line typescript/no-unsafe-type-assertion -- derived by the same reflection that the types are
}
