/** Variables of environments, for the workflows that deploy to them. */
import * as Group from "../Group.ts"
import type * as Operation from "../Operation.ts"
import { environmentPath } from "../Parameters.ts"
import * as Variable from "./Variable.ts"

const environments = (access: Operation.Access, level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "environments", level }]],
    scopes: ["repo"],
    privateScopes: ["repo"],
    access
  }) as const // literal types

/** Endpoints of variables of environments. */
export class EnvironmentVariables extends Group.make("environmentVariables", () =>
  Variable.endpoints({
    id: "environment",
    words: "an environment",
    path: "/repos/:owner/:repo/environments/:environment_name",
    params: environmentPath,
    item: Variable.Variable,
    list: Variable.VariableList,
    input: Variable.newVariableInput,
    change: Variable.variableChangeInput,
    reads: environments("write", "read"),
    writes: environments("administer", "write")
  })
) {}
