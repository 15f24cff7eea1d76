/** All rows of environments and deployments. */
import * as Layer from "effect/Layer"
import { BranchPolicyRows } from "./BranchPolicyRows.ts"
import { DeploymentRows } from "./DeploymentRows.ts"
import { DeploymentStatusRows } from "./DeploymentStatusRows.ts"
import { EnvironmentRows } from "./EnvironmentRows.ts"
import { ProtectionRuleRows } from "./ProtectionRuleRows.ts"

export const layer = Layer.mergeAll(
  BranchPolicyRows.layer,
  DeploymentRows.layer,
  DeploymentStatusRows.layer,
  EnvironmentRows.layer,
  ProtectionRuleRows.layer
)
