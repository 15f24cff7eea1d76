/**
 * A group of endpoints of the contract: `class Tags extends Group.make("tags", () => [HttpApiEndpoint.get(…)]) {}`. It
 * makes its endpoints when the first of them is asked for: a program starts without those that it does not use.
 */
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"

type Endpoints = readonly [HttpApiEndpoint.Constraint, ...ReadonlyArray<HttpApiEndpoint.Constraint>]

export const make = <const Id extends string, const E extends Endpoints>(
  identifier: Id,
  endpoints: () => E
): HttpApiGroup.HttpApiGroup<Id, E[number]> => {
  const empty = HttpApiGroup.make(identifier)
  let made: HttpApiGroup.HttpApiGroup<Id, E[number]> | undefined
  const lazy: object = Object.defineProperty(HttpApiGroup.make(identifier), "endpoints", {
    enumerable: true,
    get: () => (made ??= empty.add(...endpoints())).endpoints
  })
  return lazy as HttpApiGroup.HttpApiGroup<Id, E[number]> // oxlint-disable-line typescript/no-unsafe-type-assertion -- a group whose endpoints come later
}
