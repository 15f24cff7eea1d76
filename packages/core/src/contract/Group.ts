/**
 * A group of endpoints: `class Tags extends Group.make("tags", () => [HttpApiEndpoint.get(…)]) {}`. Creates the
 * endpoints on first access, so that start-up does not pay for unused groups.
 */
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"

type Endpoints = readonly [HttpApiEndpoint.Constraint, ...ReadonlyArray<HttpApiEndpoint.Constraint>]

/** Creates a group whose endpoints are created on first access. */
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
  return lazy as HttpApiGroup.HttpApiGroup<Id, E[number]> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the getter makes the endpoints
}
