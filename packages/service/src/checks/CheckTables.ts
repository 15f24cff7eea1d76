/** All rows of statuses and checks. */
import * as Layer from "effect/Layer"
import { CheckPullRequests } from "./CheckPullRequests.ts"
import { CheckRunRows } from "./CheckRunRows.ts"
import { CheckSuiteRows } from "./CheckSuiteRows.ts"
import { Rollups } from "./Rollup.ts"
import { StatusRows } from "./StatusRows.ts"

export const layer = Layer.mergeAll(
  CheckPullRequests.layer,
  CheckRunRows.layer,
  CheckSuiteRows.layer,
  Rollups.layer,
  StatusRows.layer
)
