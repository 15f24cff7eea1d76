/** Loads the endpoints of the groups. The first call of a client loads this module. */
import type { EndpointDescription } from "../EndpointDescription.ts"
import { value as loaders } from "./GroupLoaders.ts"
import * as PackedContract from "./PackedContract.ts"

/** Returns the endpoints of a group; none for a group that the contract lacks. */
export const load = async (group: string): Promise<ReadonlyArray<EndpointDescription>> => {
  const loader = loaders[group]
  return loader === undefined ? [] : PackedContract.unpack((await loader()).value)
}
