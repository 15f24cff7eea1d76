import * as Effect from "effect/Effect"
import {
  DeploymentBranchPolicies,
  type DeploymentBranchPolicy
} from "@tongs/core/contract/groups/DeploymentBranchPolicies"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import { nodeId } from "../../api/NodeId.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { type BranchPolicyRow, BranchPolicyRows } from "../../deployments/BranchPolicyRows.ts"
import * as EnvironmentTarget from "./EnvironmentTarget.ts"

const MAX_NAME = 255
const MAX_POLICIES = 500

const shape = ({ id, name, type }: BranchPolicyRow): DeploymentBranchPolicy => ({
  id,
  node_id: nodeId("DeploymentBranchPolicy", id),
  name,
  type
})

const invalid = (message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "BranchPolicy", field: "name", code: "custom", message }])

const nameProblem = (name: string) =>
  name.trim() === "" || name.length > MAX_NAME ? invalid(`name must have 1 to ${MAX_NAME} characters`) : undefined

/** Handlers of branch policies of environments. */
export const make = Effect.gen(function* () {
  const environment = yield* EnvironmentTarget.make
  const rows = yield* BranchPolicyRows

  const find = Effect.fnUntraced(function* (
    input: { readonly environment_name: string; readonly branch_policy_id: number },
    context: RepositoryContext
  ) {
    const { id } = yield* environment(input, context)
    return (yield* rows.find(id, input.branch_policy_id)) ?? (yield* ApiError.notFound())
  })

  return group(DeploymentBranchPolicies)({
    *list(input, context) {
      const { id } = yield* environment(input, context)
      const { items, total } = yield* rows.list(id, context.page)
      return {
        items: items.map(shape),
        total,
        wrap: (branch_policies: ReadonlyArray<DeploymentBranchPolicy>) => ({ total_count: total, branch_policies })
      }
    },

    *create({ name, type = "branch", ...input }, context) {
      const { branch_policy: policy, id } = yield* environment(input, context)
      if (policy !== "custom") return yield* ApiError.notFound()
      const problem = nameProblem(name)
      if (problem !== undefined) return yield* problem
      const { total } = yield* rows.list(id, { page: 1, perPage: 1, offset: 0 })
      if (total >= MAX_POLICIES) return yield* invalid(`an environment has at most ${MAX_POLICIES} branch policies`)
      const content = { environment_id: id, name, type }
      const row = (yield* rows.add(content)) ?? (yield* rows.equal(content)) ?? (yield* ApiError.notFound())
      return shape(row)
    },

    *get(input, context) {
      return shape(yield* find(input, context))
    },

    *update({ name, ...input }, context) {
      const row = yield* find(input, context)
      const problem = nameProblem(name)
      if (problem !== undefined) return yield* problem
      const equal = yield* rows.equal({ ...row, name })
      if (equal !== undefined && equal.id !== row.id)
        return yield* invalid("the environment has an equal branch policy")
      yield* rows.rename(row.id, name)
      return shape({ ...row, name })
    },

    *delete(input, context) {
      const { id } = yield* find(input, context)
      yield* rows.remove(id)
    }
  })
})
