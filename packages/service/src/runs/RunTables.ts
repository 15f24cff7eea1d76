/** All rows of workflows, their runs and caches. */
import * as Layer from "effect/Layer"
import { ActionsCacheRows } from "./ActionsCacheRows.ts"
import { JobGateRows } from "./JobGateRows.ts"
import { WorkflowJobRows } from "./WorkflowJobRows.ts"
import { WorkflowRows } from "./WorkflowRows.ts"
import { WorkflowRunRows } from "./WorkflowRunRows.ts"

export const layer = Layer.mergeAll(
  ActionsCacheRows.layer,
  JobGateRows.layer,
  WorkflowJobRows.layer,
  WorkflowRows.layer,
  WorkflowRunRows.layer
)
