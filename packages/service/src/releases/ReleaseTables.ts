/** All rows of releases. */
import * as Layer from "effect/Layer"
import { ReleaseAssetRows } from "./ReleaseAssetRows.ts"
import { ReleaseRows } from "./ReleaseRows.ts"

export const layer = Layer.mergeAll(ReleaseAssetRows.layer, ReleaseRows.layer)
